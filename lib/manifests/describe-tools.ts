import type { ServerEntry } from '@/lib/servers';
import type { CapabilityManifest, ManifestTool } from './manifest';
import { riskOf } from './risk';
import type { ListedTool, SetAsideTool, ToolList } from './tool-list';
import { PLUMBING_TOOLS, type ToolView } from './tool-view';

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
  /** What it still answers; such a tool stays callable. */
  readonly without: string | null;
  /** false where only the manifest names it. */
  readonly listed: boolean;
}

/**
 * Every tool of the server's list joined with its availability, exposure and name: in the list's order,
 * those set aside last. What only the manifest names is no tool of the list: see `unavailableTools`.
 */
export function describeTools({ entry, toolList, manifest, exposedNameOf }: DescribedTools): readonly ToolView[] {
  const declared = new Map(manifest?.tools.map((tool) => [tool.name, tool]));
  const offered = entry.tools === null ? null : new Set(entry.tools);
  const verifyWith = new Map(Object.entries(entry.verify_with));

  const describeListed = (tool: ListedTool): ToolView => {
    const plumbing = PLUMBING_TOOLS.has(tool.name);
    return {
      ...availabilityOf(declared.get(tool.name)),
      name: tool.name,
      exposedName: plumbing ? null : exposedNameOf(tool.name),
      exposed: !plumbing && (offered === null || offered.has(tool.name)),
      plumbing,
      annotations: tool.annotations,
      risk: riskOf(tool.annotations),
      openWorld: tool.annotations.openWorldHint ?? null,
      setAside: null,
      verifyWith: verifyWith.get(tool.name) ?? declared.get(tool.name)?.verifyWith ?? [],
      listed: tool,
    };
  };

  return [...toolList.tools.map(describeListed), ...toolList.setAside.map(describeSetAside)];
}

function describeSetAside(tool: SetAsideTool): ToolView {
  return {
    ...availabilityOf(undefined),
    name: tool.name ?? '',
    exposedName: null,
    exposed: false,
    plumbing: false,
    annotations: {},
    risk: 'not stated',
    openWorld: null,
    setAside: tool.reason,
    definition: toDefinition(tool.raw),
    verifyWith: [],
    listed: null,
  };
}

const LONGEST_DEFINITION = 4_096;

function toDefinition(raw: unknown): string {
  const text = JSON.stringify(raw, null, 2) ?? 'null';
  return text.length > LONGEST_DEFINITION ? `${text.slice(0, LONGEST_DEFINITION)}…` : text;
}

/** A tool that the manifest does not name is available. */
function availabilityOf(declared: ManifestTool | undefined) {
  return {
    available: declared?.available ?? true,
    reason: declared?.reason ?? null,
    remediation: declared?.remediation ?? null,
    without: declared?.without ?? null,
    timeoutS: declared?.timeoutS ?? null,
    longRunning: declared?.longRunning ?? false,
  };
}

/** The unavailable tools of a server as its card lists them, those included that only the manifest names. */
export function unavailableTools(
  toolList: ToolList,
  manifest: CapabilityManifest | null,
): readonly UnavailableTool[] {
  const listed = new Set(toolList.tools.map((tool) => tool.name));
  return (manifest?.tools ?? [])
    .filter((tool) => !tool.available)
    .map(({ name, reason, remediation, without }) => ({ name, reason, remediation, without, listed: listed.has(name) }));
}
