import { setTimeout as sleep } from 'node:timers/promises';
import type { Carrier, MessageSink } from './http-messages';
import { readMessages } from './http-messages';
import type { EventStreamReader, ReadEvent } from './sse-reader';

/**
 * The events of a stream as they come. One that the stream's end cut short counts where its data is whole: then
 * nothing but the blank line was missing.
 * @param onPart told as parts of an event come that is not whole yet
 * @throws what broke the stream, after the events that came before
 */
export async function* listEvents(response: Response, reader: EventStreamReader, onPart: () => void = () => undefined): AsyncGenerator<ReadEvent> {
  let broken: Error | null = null;
  try {
    // Web streams are async iterable in Node; the DOM's declaration does not say so.
    if (response.body !== null) {
      for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
        yield* reader.push(chunk);
        if (reader.fault !== null) throw reader.fault;
        // Comments keep a stream open and say nothing of the call.
        if (reader.isMidEvent) onPart();
      }
    }
  } catch (error) {
    broken = error instanceof Error ? error : new Error(String(error));
  }
  for (const read of reader.end()) if (read.kind !== 'event' || read.isUnfinished !== true || isWhole(read.event.data)) yield read;
  if (broken !== null) throw broken;
}

function isWhole(data: string): boolean {
  try {
    return typeof JSON.parse(data) === 'object';
  } catch {
    return false;
  }
}

/** Gives what one event holds to the sink; only unnamed and `message` events hold messages. */
export function readEvent(read: Exclude<ReadEvent, { kind: 'retry' }>, carrier: Carrier, limitBytes: number, sink: MessageSink): void {
  if (read.kind === 'event') {
    const { event, data } = read.event;
    if (event === 'message' && data !== '') readMessages(data, carrier, sink);
    return;
  }
  const { scanned, sizeBytes } = read;
  sink.listener?.onWire('received', read.beginning, sizeBytes);
  // Too large to be read, it is the answer unless it says otherwise.
  const isAnswer = carrier.kind !== 'push' && !scanned.hasMethod && (scanned.id === null || String(scanned.id) === String(carrier.id));
  sink.listener?.onTooLarge(isAnswer ? carrier.id : null, sizeBytes, limitBytes);
}

/** What a server may push in one go before it is read more slowly. */
const MOST_PER_SECOND = 500;

/** Keeps a flood of events from taking the whole process: what comes faster stays in the server's own buffers. */
export class Pace {
  private endsAt = 0;
  private count = 0;

  async step(signal: AbortSignal): Promise<void> {
    const now = performance.now();
    if (now >= this.endsAt) {
      this.endsAt = now + 1_000;
      this.count = 0;
    }
    this.count += 1;
    if (this.count < MOST_PER_SECOND) return;
    await sleep(this.endsAt - now, undefined, { signal, ref: false }).catch(() => undefined);
  }
}
