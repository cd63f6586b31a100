import { may, type Principal } from '@/lib/auth';
import type { Runtime } from '@/lib/boot';
import { KiB, type Json } from '@/lib/core';
import { toCallLine, withoutContents, type LedgerEntry, type StoredPayload, type Tombstone } from '@/lib/ledger';

/** Up to here a payload is sent with the page whole; a larger one by its preview. */
const WHOLE_BYTES = 256 * KiB;

interface LoadedEntry {
  readonly entry: LedgerEntry;
  /** Tools by which a person can see whether the call was carried out. */
  readonly verifyWith: readonly string[];
  /** Whether the server still has the tool, as far as is known. */
  readonly toolIsThere: boolean;
}

const readSequence = (text: string): number | undefined => (/^[1-9]\d{0,14}$/.test(text) ? Number(text) : undefined);

/** What says that an entry was deleted; empty where there never was one. */
export function findTombstones(sequenceText: string, runtime: Runtime): readonly Tombstone[] {
  const sequence = readSequence(sequenceText);
  return sequence === undefined ? [] : runtime.ledger.retention.findTombstones(sequence);
}

/** An entry as this person may see it, with what its page says about its server; undefined where there is none. */
export async function loadEntry(sequenceText: string, principal: Principal, runtime: Runtime): Promise<LoadedEntry | undefined> {
  const sequence = readSequence(sequenceText);
  const found = sequence === undefined ? undefined : runtime.ledger.reader.find(sequence);
  if (found === undefined) return undefined;
  const record = runtime.servers.find(found.serverKey);
  const snapshot = record === undefined ? null : runtime.pool.snapshot(found.serverKey);
  const inManifest = snapshot?.manifest?.tools.find((tool) => tool.name === found.tool)?.verifyWith ?? [];
  const verifyWith = [...new Set([...(record?.entry.verify_with[found.tool] ?? []), ...inManifest])];
  const tools = snapshot?.toolList.tools ?? [];
  const toolIsThere = record !== undefined && (snapshot === null || tools.some((tool) => tool.name === found.tool));
  const entry = may(principal.role, 'ledger.see_contents') ? await withWholePayloads(found, runtime) : withoutContents(found);
  return { entry, verifyWith, toolIsThere };
}

/** The call as a command line, without what is secret; null where its arguments are not at hand or too large for one. */
export function toSafeCallLine(entry: LedgerEntry, runtime: Runtime): string | null {
  if (entry.arguments?.kind !== 'inline') return null;
  // The redactor gives back JSON for JSON.
  const args = runtime.redactor.value(JSON.parse(entry.arguments.json)) as Json;
  return toCallLine({ serverKey: entry.serverKey, tool: entry.tool, arguments: args });
}

async function withWholePayloads(entry: LedgerEntry, runtime: Runtime): Promise<LedgerEntry> {
  const whole = async (payload: StoredPayload | null): Promise<StoredPayload | null> =>
    payload === null || payload.kind === 'inline' || payload.sizeBytes > WHOLE_BYTES
      ? payload
      : { kind: 'inline', json: await runtime.ledger.reader.payload(payload), sizeBytes: payload.sizeBytes };
  const [given, sent, result] = await Promise.all([whole(entry.arguments), whole(entry.argumentsSent), whole(entry.result)]);
  return { ...entry, arguments: given, argumentsSent: sent, result };
}
