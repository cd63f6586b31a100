import type { Json } from '@/lib/core';
import type { OutputEnd } from '@/lib/files';
import type { CarriedCall } from './carried-call';
import type { CallPathOptions } from './ports';

/** Takes the files of an answer that were asked for, each put on the call's entry as it is settled. */
export async function readOutputs(call: CarriedCall, value: Json, { files, servers, pool, writer }: CallPathOptions): Promise<readonly OutputEnd[]> {
  const { request, record, entry: { sequence, entryId } } = call;
  const entry = servers.find(request.serverKey)?.entry;
  const { outputs = [] } = request;
  if (entry === undefined || outputs.length === 0) return [];
  const ends = await files.readBack.take(
    {
      runId: request.runId,
      entry,
      tool: request.tool,
      sequence,
      entryId,
      tools: new Set(pool.snapshot(request.serverKey)?.toolList.tools.map(({ name }) => name)),
      value,
      outputs,
      call: call.makePlumbingCall,
      onOutput: (output) => record.readBack(output),
    },
    call.abort.signal,
  );
  await writer.stored();
  return ends;
}
