import { formatDuration } from '@/lib/core';
import type { ManifestTool } from '@/lib/manifests';
import { DEFAULT_LIMITS, type Limits } from '@/lib/servers';

/** Who set a clock, for the message when it runs out. */
type ClockSource = 'default' | 'server' | 'tool' | 'manifest' | 'call';

export interface CallClock {
  readonly ms: number;
  readonly source: ClockSource;
  /** The field of the configuration that sets it. */
  readonly field: string;
}

/** The clocks of one call (product section 6.2). */
export interface CallClocks {
  /** Without a byte or progress; null where the tool is silent for as long as it runs. */
  readonly idle: CallClock | null;
  /** From sent to answered. */
  readonly total: CallClock;
  /** The asker's own total is shorter than what the tool says it needs: that, in ms. */
  readonly shortOfMs: number | null;
}

/** What a manifest's `timeout_s` is raised by, so that the tool's own timeout speaks first. */
const MANIFEST_MARGIN_MS = 30_000;

/** What a timer can count, 24 days: one that is set for longer fires at once. */
const LONGEST_MS = 2_147_483_647;

export interface ClockRequest {
  readonly tool: string;
  readonly limits: Limits;
  readonly manifestTool: ManifestTool | null;
  /** The total that the asker sets for this call, in ms. */
  readonly totalMs: number | null;
}

/** The clocks that a call runs under: the tool's own limits before the server's before the defaults. */
export function clocksFor({ tool, limits, manifestTool, totalMs }: ClockRequest): CallClocks {
  const needsMs = manifestTool?.timeoutS == null ? null : Math.min(manifestTool.timeoutS * 1000 + MANIFEST_MARGIN_MS, LONGEST_MS);
  const raised = (clock: CallClock): CallClock =>
    needsMs === null || clock.ms >= needsMs ? clock : { ms: needsMs, source: 'manifest', field: clock.field };
  const configuredTotal = raised(configured(tool, limits, 'total_s'));
  const total: CallClock = totalMs === null ? configuredTotal : { ms: Math.min(totalMs, LONGEST_MS), source: 'call', field: 'the total asked for' };
  const isSilent = manifestTool?.longRunning === true && manifestTool.timeoutS === null;
  return {
    idle: isSilent ? null : raised(configured(tool, limits, 'idle_s')),
    total,
    shortOfMs: totalMs !== null && needsMs !== null && totalMs < needsMs ? needsMs : null,
  };
}

function configured(tool: string, limits: Limits, name: 'idle_s' | 'total_s'): CallClock {
  const own = limits.tools?.[tool]?.[name];
  if (own !== undefined) return { ms: own * 1000, source: 'tool', field: `limits.tools.${tool}.${name}` };
  const server = limits[name];
  if (server !== undefined) return { ms: server * 1000, source: 'server', field: `limits.${name}` };
  return { ms: DEFAULT_LIMITS[name] * 1000, source: 'default', field: `limits.${name}` };
}

const SOURCES: Readonly<Record<ClockSource, string>> = {
  default: 'the default',
  server: "set in the server's limits",
  tool: "set for this tool in the server's limits",
  manifest: 'what the tool says it needs, and a margin',
  call: 'set for this call',
};

/** Names the clock that ran out and its limit; a delay is not called an outage. */
export function describeTimeout(which: 'idle' | 'total', clock: CallClock, tool: string): string {
  const limit = `${formatDuration(clock.ms)} (${SOURCES[clock.source]})`;
  return which === 'idle'
    ? `Nothing came from ${tool} for the idle limit of ${limit}: the call was given up. It may still be carried out.`
    : `${tool} did not answer within the total limit of ${limit}: the call was given up. It may still be carried out.`;
}
