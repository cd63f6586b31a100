import { formatBytes, type JsonObject } from '@/lib/core';
import { findReferences, isUpload, type DisclosurePlan } from '@/lib/files';
import type { StagedCall } from '@/lib/files/node';
import type { StoredPayload } from '@/lib/ledger';
import type { ServerSnapshot } from '@/lib/manifests';
import type { Lease } from '@/lib/pool/node';
import type { ServerEntry, ServerRecord } from '@/lib/servers';
import { toConsoleError, type CallError, type CallRequest } from '..';
import type { CarriedCall } from './carried-call';
import type { CallPathOptions } from './ports';
import type { SendingNote } from './send';

/** What a call goes out with, or why it does not. */
export type Staged =
  | { readonly kind: 'staged'; readonly arguments: JsonObject; readonly argumentsSent: StoredPayload | null; readonly onSending: SendingNote | undefined }
  | { readonly kind: 'refused'; readonly error: CallError };

/** The call as far as its files go. */
export const toStagedCall = (
  request: Pick<CallRequest, 'runId' | 'arguments'>,
  entry: ServerEntry,
  snapshot: ServerSnapshot,
  connection: object | null,
): StagedCall => ({
  runId: request.runId,
  entry,
  arguments: request.arguments,
  tools: new Set(snapshot.toolList.tools.map(({ name }) => name)),
  saysExternal: snapshot.manifest?.external === true,
  connection,
});

/** Whether anything could leave with the call, or has to be put in the place of a reference. */
const concernsFiles = ({ arguments: given, entry, saysExternal }: StagedCall): boolean => entry.external || saysExternal || findReferences(given).length > 0;

/**
 * Hands the call's files over before it goes: what would leave must have been confirmed as it stands now. The calls of
 * an upload themselves are what was confirmed.
 */
export async function stageFiles(call: CarriedCall, { entry }: ServerRecord, { snapshot, connection }: Lease, { files, writer }: Pick<CallPathOptions, 'files' | 'writer'>): Promise<Staged> {
  const { request, plumbing, principal } = call;
  if (plumbing !== null) {
    const { onSending } = plumbing;
    return { kind: 'staged', arguments: request.arguments, argumentsSent: null, onSending: onSending && (() => onSending(call.entry)) };
  }
  const staged = toStagedCall(request, entry, snapshot, connection);
  if (!concernsFiles(staged)) return { kind: 'staged', arguments: request.arguments, argumentsSent: null, onSending: undefined };
  const planned = await files.stager.plan(staged);
  const facts = { serverKey: request.serverKey, tool: request.tool };
  if (!planned.ok) return { kind: 'refused', error: toConsoleError('bad_argument', planned.error.message, facts) };
  const plan = planned.value;
  if (plan.token !== null && plan.token !== request.confirmed) return { kind: 'refused', error: toUnconfirmed(plan, request) };
  const sent = await files.stager.handOver(
    {
      call: { ...staged, connection },
      plan,
      confirmedBy: principal.actor.name,
      makePlumbingCall: call.makePlumbingCall,
      sequence: call.entry.sequence,
      onHanded: (handing) => {
        if (handing.degradation !== null) call.record.warned(handing.degradation);
        call.record.handed(handing);
      },
    },
    call.abort.signal,
  );
  const argumentsSent = sent === request.arguments ? null : await writer.payloads.store(sent);
  return { kind: 'staged', arguments: sent, argumentsSent, onSending: plan.lookup === null ? undefined : () => noteLookup(call, sent, plan, files) };
}

/** What an external server is told, on record before it goes. */
function noteLookup({ request, entry }: CarriedCall, sent: JsonObject, { destination }: DisclosurePlan, files: CallPathOptions['files']): void {
  files.records.noteLookup({ ...entry, runId: request.runId, tool: request.tool, destination, arguments: sent });
}

function toUnconfirmed({ files, destination, lookup }: DisclosurePlan, { serverKey, tool, confirmed }: CallRequest): CallError {
  const leaving = files.filter((file) => isUpload(file.way) && !file.isThere);
  const parts = [
    ...leaving.map(({ name, sizeBytes }) => `${name} (${formatBytes(sizeBytes)})`),
    ...(lookup === null ? [] : [`${lookup.bytes} bytes of arguments, which ${serverKey} passes on`]),
  ];
  const told = `${parts.join(', ')} would go to ${destination.host}`;
  const message = confirmed == null ? `${told}, and nobody has confirmed that.` : `${told}, which is not what was confirmed.`;
  return toConsoleError('not_approved', message, { serverKey, tool }, { remediation: 'Look at what would be handed over, confirm it, and call again.' });
}
