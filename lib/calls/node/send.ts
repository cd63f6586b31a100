import type { StoredPayload } from '@/lib/ledger';
import type { Connection, StreamedContent, WireAnswer } from '@/lib/pool/node';
import type { CallRequest } from '..';
import type { CallRecord } from './call-record';
import type { CallTimers } from './timers';

/** How long a connection may take to tell the server that the call was given up, in ms. */
const STOP_GRACE_MS = 5000;

/** Told before each attempt's first byte, within the write that puts it on record. */
export type SendingNote = () => void;

interface SendOptions {
  readonly connection: Connection;
  readonly request: Pick<CallRequest, 'tool' | 'arguments'>;
  readonly record: CallRecord;
  readonly timers: CallTimers;
  /** The arguments as they go, where they are not those that were given. */
  readonly argumentsSent?: StoredPayload | null;
  readonly content?: StreamedContent | undefined;
  readonly onSending?: SendingNote | undefined;
  /** For what goes wrong after the call has ended. */
  readonly onLateProblem: (error: unknown) => void;
}

/** What became of one attempt. */
export interface Attempt {
  readonly answer: WireAnswer;
  /** The console itself closed the connection meanwhile: an edit, a restart, a delete. */
  readonly closedHere: boolean;
}

/** One attempt: sends the request on a connection and waits for what becomes of it, under the call's clocks. */
export async function sendOnce(options: SendOptions, signal: AbortSignal): Promise<Attempt> {
  const { connection, request, record, timers, content } = options;
  let sent = false;
  let ended = false;
  let closedHere = false;
  const stopListening = connection.onClosed((failure) => {
    closedHere = failure === null;
  });
  const answer = connection.callTool(
    {
      tool: request.tool,
      arguments: request.arguments,
      ...(content !== undefined && { content: { ...content, open: () => whileWanted(content.open(), timers, signal) } }),
      onSent: () => {
        if (ended) return;
        // Once more where the protocol itself has it sent again (-32020): it was made as often as it went out.
        sent = true;
        options.onSending?.();
        record.sent(connection.facts.era, options.argumentsSent);
        timers.start();
      },
      onFirstByte: () => {
        if (ended) return;
        record.answering();
        timers.extend();
      },
      onBytes: () => {
        if (!ended) timers.extend();
      },
      onProgress: (note) => {
        if (ended) return;
        timers.extend();
        record.noted(note);
      },
      onLateAnswer: (result) => {
        record.answeredLate(result).catch(options.onLateProblem);
      },
    },
    signal,
  );
  try {
    const settled = await withGrace(answer, () => ({ kind: 'aborted', sent }), signal);
    return { answer: settled, closedHere };
  } finally {
    ended = true;
    stopListening();
    timers.pause();
  }
}

/** A content goes out as long as its call is wanted; what goes is a sign of life. */
async function* whileWanted(content: AsyncIterable<Uint8Array>, timers: CallTimers, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    signal.throwIfAborted();
    yield piece;
    timers.extend();
  }
}

/** A connection settles when the signal fires; one that does not must not hold the call for ever. */
async function withGrace(answer: Promise<WireAnswer>, giveUp: () => WireAnswer, signal: AbortSignal): Promise<WireAnswer> {
  let timer: NodeJS.Timeout | undefined;
  let onAbort = (): void => undefined;
  const grace = new Promise<WireAnswer>((resolve) => {
    onAbort = () => {
      timer = setTimeout(() => {
        resolve(giveUp());
      }, STOP_GRACE_MS);
    };
    if (signal.aborted) onAbort();
    else signal.addEventListener('abort', onAbort, { once: true });
  });
  try {
    return await Promise.race([answer, grace]);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', onAbort);
  }
}
