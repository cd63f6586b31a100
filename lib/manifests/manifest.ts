/** One tool as a server's `capabilities` tool describes it (product section 4), made whole. */
export interface ManifestTool {
  readonly name: string;
  readonly optionalDependency: string | null;
  readonly available: boolean;
  readonly reason: string | null;
  /** The tool's real timeout, in seconds. */
  readonly timeoutS: number | null;
  readonly remediation: string | null;
  /** What it still answers while its dependency is missing. */
  readonly without: string | null;
  readonly longRunning: boolean;
  readonly verifyWith: readonly string[];
}

export interface CapabilityManifest {
  readonly server: string | null;
  readonly version: string | null;
  readonly external: boolean;
  readonly tools: readonly ManifestTool[];
}
