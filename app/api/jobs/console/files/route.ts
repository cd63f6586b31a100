import { defineRoute } from '@/app/define-route';
import { AppError } from '@/lib/core';
import { CONSOLE_JOB } from '@/lib/files/node';

/** The files of the standing job, which local servers can open. */
export const GET = defineRoute({
  permission: 'ledger.see_contents',
  run: async (_request, { runtime }) => Response.json({ files: await runtime.jobs.list(CONSOLE_JOB) }),
});

/** Takes a file of any size, the request's body, into the standing job: `?name=`. */
export const POST = defineRoute({
  permission: 'files.add',
  run: async (request, { principal, runtime, audit }) => {
    const name = new URL(request.url).searchParams.get('name');
    if (name === null) {
      throw new AppError({ code: 'bad_input', message: 'The file has no name.', fields: [{ field: 'name', message: 'Give the name in "?name=".' }] });
    }
    const stored = await runtime.jobs.put(CONSOLE_JOB, name, toPieces(request.body), request.signal);
    audit.record({ type: 'file.added', subject: `job:${CONSOLE_JOB}`, details: { name: stored.name, sizeBytes: stored.sizeBytes, sha256: stored.sha256 } });
    runtime.log.info({ job: CONSOLE_JOB, sizeBytes: stored.sizeBytes, by: principal.actor.name }, 'a file was added');
    return Response.json(stored, { status: 201 });
  },
});

/** No body is an empty file. */
async function* toPieces(body: ReadableStream<Uint8Array> | null): AsyncIterable<Uint8Array> {
  if (body === null) return;
  const reader = body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    // Leaving early tells the sender to stop.
    await reader.cancel().catch(() => undefined);
  }
}
