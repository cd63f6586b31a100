import { findRedirectAddress } from '@/components/servers/redirect-address';
import type { FailureView, ServerCardView, ServerDetailView, ToolDetailView, ToolRowView } from '@/components/servers/views';
import type { Role } from '@/lib/auth';
import type { Runtime } from '@/lib/boot';
import { AppError } from '@/lib/core';
import { describeTools, findingsOf, unavailableTools, type Finding, type ToolView } from '@/lib/manifests';
import { hashPin } from '@/lib/manifests/node';
import type { ConnectedFacts, ConnectFailure, ServerState } from '@/lib/pool';
import { isServerKey, redactEntry, type ServerRecord } from '@/lib/servers';
import { listServerWarnings } from './server-warnings';
import { showState, showTest } from './show-printed';

/** @throws AppError `not_found` */
export function requireServer(runtime: Runtime, key: string): ServerRecord {
  const record = isServerKey(key) ? runtime.servers.find(key) : undefined;
  if (record === undefined) {
    throw new AppError({ code: 'not_found', message: `There is no server "${key.slice(0, 64)}".`, remedy: 'Look for it among the servers.' });
  }
  return record;
}

export const listCards = (runtime: Runtime, role: Role): ServerCardView[] => runtime.servers.list().map((record) => toCard(runtime, record, role));

/** A server as its card shows it to those of the role, as of now. */
export function toCard(runtime: Runtime, { entry, source, bundled, reviewedAt }: ServerRecord, role: Role): ServerCardView {
  const state = showState(runtime.pool.state(entry.key), role);
  const snapshot = runtime.pool.snapshot(entry.key);
  const last = runtime.tester.lastFor(entry)?.result ?? null;
  const tools = listTools(runtime, { entry }).filter((tool) => tool.setAside === null && !tool.plumbing);
  const facts = factsOf(state) ?? last?.facts ?? null;
  return {
    key: entry.key,
    label: entry.label,
    tags: entry.tags,
    transport: entry.transport,
    enabled: entry.enabled,
    bundled,
    fromFile: source === 'file',
    reviewed: reviewedAt !== null || source === 'file',
    tlsInsecure: entry.transport !== 'stdio' && entry.tls?.insecure === true,
    state,
    facts: facts === null ? null : { transport: facts.transport, era: facts.era, protocolVersion: facts.protocolVersion },
    counts:
      snapshot === null
        ? null
        : {
            offered: tools.length,
            available: tools.filter((tool) => tool.available).length,
            exposed: tools.filter((tool) => tool.exposed).length,
          },
    unavailable: snapshot === null ? [] : unavailableTools(snapshot.toolList, snapshot.manifest),
    manifestProblem: snapshot?.manifestProblem ?? null,
    warnings: listServerWarnings({ entry, facts, snapshot, strayLines: runtime.pool.strayLines(entry.key), lastTest: last }, role),
    lastTest: last === null ? null : { at: last.finishedAt, ok: last.ok, latencyMs: last.latencyMs, failure: last.failure === null ? null : toFailureView(last.failure) },
    load: runtime.calls.loadOf(entry.key),
    health: { latency: runtime.health.history.latency(entry.key), calls: runtime.health.shares.find(entry.key) },
  };
}

/** A server as its own page shows it to those of the role, as of now. */
export function toDetail(runtime: Runtime, record: ServerRecord, role: Role): ServerDetailView {
  const { entry } = record;
  const snapshot = runtime.pool.snapshot(entry.key);
  const lastTest = runtime.tester.lastFor(entry)?.result ?? null;
  return {
    card: toCard(runtime, record, role),
    entry: redactEntry(entry),
    revision: record.revision,
    savedAt: record.savedAt,
    reviewedAt: record.reviewedAt,
    facts: factsOf(runtime.pool.state(entry.key)) ?? lastTest?.facts ?? null,
    readAt: snapshot?.readAt ?? null,
    // What the test learned is on the page already; tools can be many.
    lastTest: lastTest === null ? null : { ...showTest(lastTest, role), snapshot: null },
    manifestTools: snapshot?.manifest?.tools.length ?? null,
    environmentReadAt: runtime.env.startedAt,
  };
}

const toFailureView = (failure: ConnectFailure): FailureView => ({
  message: failure.message,
  remedy: failure.remediation,
  isCancelled: failure.code === 'cancelled',
  redirectAddress: findRedirectAddress(failure),
});

function factsOf(state: ServerState): ConnectedFacts | null {
  return state.name === 'connected' || state.name === 'idle' ? state.facts : null;
}

/** Every tool of the server's list as it was last read, joined with its availability, exposure and name. */
export function listTools(runtime: Runtime, { entry }: Pick<ServerRecord, 'entry'>): readonly ToolView[] {
  const snapshot = runtime.pool.snapshot(entry.key);
  if (snapshot === null) return [];
  return describeTools({
    entry,
    toolList: snapshot.toolList,
    manifest: snapshot.manifest,
    exposedNameOf: (tool) => runtime.names.nameOf(entry, tool),
  });
}

/** The tools as the list shows them. */
export function listToolRows(runtime: Runtime, record: ServerRecord): ToolRowView[] {
  const pins = new Map(runtime.pins.list(record.entry.key).map((pin) => [pin.tool, pin.hash]));
  return listTools(runtime, record).map((view) => toRow(view, pins));
}

function toRow({ listed, ...tool }: ToolView, pins: ReadonlyMap<string, string>, findings?: readonly Finding[]): ToolRowView {
  const pinned = pins.get(tool.name);
  const hash = listed === null ? null : hashPin(listed);
  return {
    tool,
    title: listed?.title ?? listed?.annotations.title ?? null,
    description: listed?.description ?? null,
    findings: (findings ?? (listed === null ? [] : findingsOf(listed))).length,
    pin: pinned === undefined || hash === null ? 'new' : pinned === hash ? 'same' : 'changed',
    hash,
  };
}

/** One tool whole; undefined where the server does not list it. */
export function findToolDetail(runtime: Runtime, record: ServerRecord, name: string): ToolDetailView | undefined {
  const view = listTools(runtime, record).find((tool) => tool.name === name && tool.listed !== null);
  if (view?.listed === undefined || view.listed === null) return undefined;
  const pins = new Map(runtime.pins.list(record.entry.key).map((pin) => [pin.tool, pin.hash]));
  const allFindings = findingsOf(view.listed, { otherTools: listOtherTools(runtime, record) });
  return {
    ...toRow(view, pins, allFindings),
    inputSchema: view.listed.inputSchema,
    outputSchema: view.listed.outputSchema,
    raw: view.listed.raw,
    allFindings,
  };
}

const listOtherTools = (runtime: Runtime, { entry }: ServerRecord) =>
  runtime.servers
    .list()
    .filter((other) => other.entry.key !== entry.key)
    .flatMap((other) =>
      (runtime.pool.snapshot(other.entry.key)?.toolList.tools ?? []).map((tool) => ({ serverKey: other.entry.key, tool: tool.name })),
    );
