import { z } from 'zod';

import type { Tool } from './define-tool';
import { describeNeed, type Probe } from './needs';

/** The answer of `capabilities`, exactly as product section 4 writes it: every key present, null where absent. */
export const manifestWire = z.strictObject({
  server: z.string(),
  version: z.string(),
  external: z.boolean(),
  tools: z.array(
    z.strictObject({
      name: z.string(),
      optional_dependency: z.string().nullable(),
      available: z.boolean(),
      reason: z.string().nullable(),
      timeout_s: z.number().nullable(),
      remediation: z.string().nullable(),
      without: z.string().nullable(),
      long_running: z.boolean(),
      verify_with: z.array(z.string()),
    }),
  ),
});

export type ManifestWire = z.infer<typeof manifestWire>;

export interface ProbedTool {
  readonly tool: Tool;
  /** Null where the tool needs nothing. */
  readonly probe: Probe | null;
}

export const isAvailable = ({ probe }: ProbedTool): boolean => probe === null || probe.available;

/** The manifest as the probes found it. */
export function toManifest(server: string, version: string, tools: readonly ProbedTool[]): ManifestWire {
  return {
    server,
    version,
    external: tools.some((probed) => probed.tool.sends_elsewhere === true && isAvailable(probed)),
    tools: tools.map(({ tool, probe }) => ({
      name: tool.name,
      optional_dependency: tool.needs === undefined ? null : describeNeed(tool.needs),
      available: probe === null || probe.available,
      reason: probe !== null && !probe.available ? probe.reason : null,
      timeout_s: tool.timeout_s ?? null,
      remediation: tool.remediation ?? null,
      without: tool.without ?? null,
      long_running: tool.long_running ?? false,
      verify_with: [...(tool.verify_with ?? [])],
    })),
  };
}
