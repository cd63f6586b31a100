import type { ServerEntry } from '@/lib/servers';
import type { CapabilityManifest } from './manifest';
import type { ToolAnnotations, ToolList } from './tool-list';
import type { Risk, ToolView } from './tool-view';

export interface DescribedTools {
  readonly entry: ServerEntry;
  readonly toolList: ToolList;
  readonly manifest: CapabilityManifest | null;
  readonly exposedNameOf: (tool: string) => string;
}

/** A tool that does not work on the server's host, for cards. */
export interface UnavailableTool {
  readonly name: string;
  readonly reason: string | null;
  readonly remediation: string | null;
  readonly without: string | null;
  /** false where only the manifest names it. */
  readonly listed: boolean;
}

export declare function describeTools(described: DescribedTools): readonly ToolView[];
export declare function unavailableTools(toolList: ToolList, manifest: CapabilityManifest | null): readonly UnavailableTool[];
export declare function riskOf(annotations: ToolAnnotations): Risk;
