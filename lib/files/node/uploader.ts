import { assertNever, type RunId } from '@/lib/core';
import type { Destination, HandedFile, HandingWay } from '..';
import type { BlobStore } from './blob-store';
import type { MakePlumbingCall } from './plumbing';
import { sendAtOnce, sendInChunks, type SendOptions } from './send-file';
import { fail, type SequenceEnd } from './upload-answer';
import type { UploadRecords } from './upload-records';

export interface UploadRequest {
  readonly runId: RunId;
  readonly file: HandedFile;
  readonly way: HandingWay;
  readonly destination: Destination;
  readonly confirmedBy: string;
  /** What the server's path holds for: another connection may not know it. */
  readonly connection: object;
  readonly call: MakePlumbingCall;
}

export type UploadEnd = { readonly ok: true; readonly path: string } | { readonly ok: false; readonly words: string };

interface Shared {
  readonly end: Promise<UploadEnd>;
  readonly abort: AbortController;
  waiting: number;
  isDone: boolean;
}

/** A connection that breaks in the middle is met by beginning anew, so often. */
const MOST_SEQUENCES = 2;

/** One upload for each run, server and digest, however many calls ask for it at once; kept while the connection is. */
export class Uploader {
  private readonly byConnection = new WeakMap<object, Map<string, Shared>>();

  constructor(private readonly options: { readonly blobs: Pick<BlobStore, 'open'>; readonly records: UploadRecords }) {}

  /** Whether the content is on the server already, so that nothing would go. */
  isThere(runId: RunId, serverKey: string, sha256: string, connection: object): boolean {
    return this.byConnection.get(connection)?.get(toKey(runId, serverKey, sha256))?.isDone === true;
  }

  /** Where the server keeps the content, uploaded now where it is not there. The signal ends the waiting; the last who leaves ends the upload. */
  async upload(request: UploadRequest, signal: AbortSignal): Promise<UploadEnd> {
    const shared = this.join(request);
    shared.waiting += 1;
    try {
      return await untilAborted(shared.end, signal);
    } finally {
      shared.waiting -= 1;
      if (shared.waiting === 0 && !shared.isDone) shared.abort.abort(new Error('nobody waits for the upload any more'));
    }
  }

  private join(request: UploadRequest): Shared {
    const { connection, runId, destination, file } = request;
    const known = this.byConnection.get(connection) ?? new Map<string, Shared>();
    this.byConnection.set(connection, known);
    const key = toKey(runId, destination.serverKey, file.sha256);
    const existing = known.get(key);
    if (existing !== undefined && !existing.abort.signal.aborted) return existing;
    const abort = new AbortController();
    const end = this.run(request, abort.signal).then((settled): UploadEnd => {
      // A later call may try again what failed.
      if (settled.ok) shared.isDone = true;
      else if (known.get(key) === shared) known.delete(key);
      return settled;
    });
    const shared: Shared = { end, abort, waiting: 0, isDone: false };
    known.set(key, shared);
    return shared;
  }

  private async run(request: UploadRequest, signal: AbortSignal): Promise<UploadEnd> {
    const { records } = this.options;
    const { runId, file, destination, confirmedBy } = request;
    const id = records.open(runId, file, destination, confirmedBy);
    let end: SequenceEnd = fail('it was not begun');
    try {
      for (let sequences = 0; sequences < MOST_SEQUENCES && !signal.aborted; sequences += 1) {
        end = await this.sendOnce(request, {
          onSending: (entry, bytes) => records.noteSending(id, entry, bytes),
          onUnsent: (bytes) => records.noteUnsent(id, bytes),
        }, signal);
        if (end.ok || !end.again) break;
      }
    } catch (error) {
      end = fail(error instanceof Error ? error.message : String(error));
    }
    records.settle(id, end.ok ? 'ok' : end.outcome, end.ok ? null : end.words);
    return end;
  }

  private async sendOnce({ file, way, call }: UploadRequest, notes: Pick<SendOptions, 'onSending' | 'onUnsent'>, signal: AbortSignal): Promise<SequenceEnd> {
    const content = await this.options.blobs.open(file.sha256);
    try {
      const options = { file, content, call, ...notes };
      switch (way) {
        case 'upload_in_chunks':
          return await sendInChunks(options, signal);
        case 'upload_at_once':
          return await sendAtOnce(options, signal);
        case 'local_path':
        case 'mapped_path':
        case 'untold_path':
          return fail('nothing on this server takes files');
        default:
          return assertNever(way);
      }
    } finally {
      await content.close();
    }
  }
}

const toKey = (runId: RunId, serverKey: string, sha256: string): string => `${runId} ${serverKey} ${sha256}`;

async function untilAborted(end: Promise<UploadEnd>, signal: AbortSignal): Promise<UploadEnd> {
  let stop = (): void => undefined;
  const aborted = new Promise<UploadEnd>((resolve) => {
    stop = () => resolve({ ok: false, words: 'the call that needed it was stopped' });
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([end, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
