import type { ListedTool, ToolAnnotations } from './tool-list';

/** Words for what a tool may do, read from its annotations. */
export type Risk = 'reads only' | 'changes things' | 'may destroy' | 'not stated';

/** A tool joined with its availability, exposure and name: what pages, `check` and `tools` show. */
export interface ToolView {
  readonly name: string;
  /** null for plumbing tools and for tools set aside. */
  readonly exposedName: string | null;
  readonly exposed: boolean;
  readonly plumbing: boolean;
  readonly available: boolean;
  readonly reason: string | null;
  readonly remediation: string | null;
  readonly without: string | null;
  readonly annotations: ToolAnnotations;
  readonly risk: Risk;
  /** Whether the tool reaches beyond its server's own data, as it says; null where it does not say. */
  readonly openWorld: boolean | null;
  readonly setAside: string | null;
  /** Of a tool that was set aside what the server sent for it, as JSON, cut where it is long. */
  readonly definition?: string;
  readonly timeoutS: number | null;
  readonly longRunning: boolean;
  readonly verifyWith: readonly string[];
  /** null for a tool that was set aside, or that only the manifest names. */
  readonly listed: ListedTool | null;
}

/** The plumbing tools of product section 4: for the console itself, never shown to a model. */
export const PLUMBING_TOOLS: ReadonlySet<string> = new Set([
  'capabilities', 'put_sample', 'put_sample_begin', 'put_sample_chunk', 'put_sample_finish', 'get_artifact',
]);
