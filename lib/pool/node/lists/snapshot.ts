import type { ManifestReading, ServerSnapshot } from '@/lib/manifests';
import type { ConnectionLists } from '../connection';

/** What is kept of a server: its lists, and what its manifest says of them. */
export function toSnapshot(lists: ConnectionLists, { manifest, problem }: ManifestReading, readAt: number): ServerSnapshot {
  const { toolList, resources, resourceTemplates, prompts, warnings } = lists;
  return {
    readAt,
    toolList: { ...toolList, warnings: [...toolList.warnings, ...warnings] },
    manifest,
    manifestProblem: problem,
    resources,
    resourceTemplates,
    prompts,
  };
}

/** The tool that tells what works where the server runs (product section 4). */
const CAPABILITIES = 'capabilities';

/** Whether the server has a manifest to read: such a tool, which requires no argument. */
export function hasManifest({ toolList }: ConnectionLists): boolean {
  const tool = toolList.tools.find(({ name }) => name === CAPABILITIES);
  const required = tool?.inputSchema.required;
  return tool !== undefined && !(Array.isArray(required) && required.length > 0);
}
