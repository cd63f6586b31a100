import type { JsonObject } from '@/lib/core';
import type { Risk, ToolAnnotations, ToolView } from '@/lib/manifests';

/** An element of `tools` in `check --json`. */
export interface CheckTool {
  readonly name: string;
  /** null for plumbing and for what was set aside. */
  readonly exposed_name: string | null;
  readonly exposed: boolean;
  readonly plumbing: boolean;
  readonly available: boolean;
  readonly reason: string | null;
  readonly remediation: string | null;
  readonly without: string | null;
  readonly annotations: ToolAnnotations;
  /** Why the entry could not be used, or null. */
  readonly set_aside: string | null;
}

/** An element of `tools --json`. */
export interface ToolJson extends CheckTool {
  readonly description: string | null;
  readonly input_schema: JsonObject | null;
  readonly output_schema: JsonObject | null;
  readonly risk: Risk;
}

export const toCheckTool = (view: ToolView): CheckTool => ({
  name: view.name,
  exposed_name: view.exposedName,
  exposed: view.exposed,
  plumbing: view.plumbing,
  available: view.available,
  reason: view.reason,
  remediation: view.remediation,
  without: view.without,
  annotations: view.annotations,
  set_aside: view.setAside,
});

export const toToolJson = (view: ToolView): ToolJson => ({
  ...toCheckTool(view),
  description: view.listed?.description ?? null,
  input_schema: view.listed?.inputSchema ?? null,
  output_schema: view.listed?.outputSchema ?? null,
  risk: view.risk,
});
