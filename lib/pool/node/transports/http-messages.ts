import { isObject } from '@/lib/core';
import { BATCH_REVISION, EMPTY_BATCH, IN_A_BATCH, isEmptyBatch, toFrame, isResponse, type RequestId, type WireMessage } from './frame';
import type { WireListener } from './transport';

/** What a text came in: the body or the stream that answers one request, or the push stream. */
export type Carrier = { readonly kind: 'body'; readonly id: RequestId } | ({ readonly kind: 'stream'; readonly id: RequestId } & Strays) | ({ readonly kind: 'push' } & Strays);

/** A stream may hold text that is no message, heartbeats say, without end: the first of each stream is told. */
interface Strays {
  hasStrayed: boolean;
}

export interface MessageSink {
  readonly listener: WireListener | null;
  /** The negotiated revision, null while there is none. */
  readonly revision: string | null;
  deliver(message: WireMessage): void;
  /** Whether the answer to this request may come on any stream: its own ended without it, or the server said so. */
  isAnsweredElsewhere(id: RequestId): boolean;
}

/** A text that is no JSON and yet claims to be a message: one that was cut, say. */
const CLAIMS = /^\s*\{[^]*"(?:error|result|jsonrpc)"\s*:/;

/**
 * Reads a text that came over HTTP. An answer settles only the request that it came back for: one with another id is
 * somebody else's, and is let go. What claims to be the answer and can settle nothing ends its request at once.
 */
export function readMessages(text: string, carrier: Carrier, sink: MessageSink): void {
  sink.listener?.onWire('received', text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (carrier.kind === 'body' || (carrier.kind === 'stream' && CLAIMS.test(text))) {
      sink.listener?.onUnusable(carrier.id, 'it is no JSON-RPC message', text);
    } else {
      tellStray(text, carrier, sink);
    }
    return;
  }
  try {
    readValue(value, () => text, carrier, sink);
  } catch (error) {
    // JSON may be nested deeper than whoever walks it can go.
    const reason = `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
    if (carrier.kind === 'push') sink.listener?.onRemark(`invalid message, ${reason}`);
    else sink.listener?.onUnusable(carrier.id, reason, text);
  }
  if (carrier.kind === 'body' && sink.listener?.findWaiting(carrier.id) !== undefined) {
    sink.listener.onUnusable(carrier.id, 'it does not answer the request', text);
  }
}

function readValue(value: unknown, toText: () => string, carrier: Carrier, sink: MessageSink): void {
  const { listener } = sink;
  const frame = toFrame(value);
  switch (frame.kind) {
    case 'message':
      if (isResponse(frame.message) && !isOwn(frame.message.id, carrier, sink)) listener?.onForeignAnswer(frame.message.id);
      else sink.deliver(frame.message);
      return;
    case 'batch':
      for (const element of frame.elements) readElement(element, carrier, sink);
      return;
    case 'unusable':
      if (!frame.isAnswer) listener?.onInvalidRequest(frame.id, frame.reason, toText());
      else if (carrier.kind !== 'push' && (frame.id === null || isOwn(frame.id, carrier, sink))) listener?.onUnusable(carrier.id, frame.reason, toText());
      else listener?.onForeignAnswer(frame.id);
      return;
    case 'stray': {
      if (isEmptyBatch(value) && carrier.kind === 'stream') return listener?.onUnusable(carrier.id, EMPTY_BATCH, toText());
      // A heartbeat settles nothing and claims nothing; something with a result or an error claims to be the answer.
      const claims = isObject(value) && ('error' in value || 'result' in value);
      if (carrier.kind === 'stream' && claims) listener?.onUnusable(carrier.id, 'it is no JSON-RPC message', toText());
      else if (carrier.kind !== 'body') tellStray(toText(), carrier, sink);
    }
  }
}

/** An element of a batch, which only one revision has. */
function readElement(element: unknown, carrier: Carrier, sink: MessageSink): void {
  const toText = () => JSON.stringify(element);
  const frame = toFrame(element);
  if (frame.kind !== 'message' || sink.revision === BATCH_REVISION) return readValue(element, toText, carrier, sink);
  const { message } = frame;
  if (!isResponse(message)) sink.listener?.onInvalidRequest('id' in message ? message.id : null, IN_A_BATCH, toText());
  else if (isOwn(message.id, carrier, sink)) sink.listener?.onUnusable(message.id, IN_A_BATCH, toText());
  else sink.listener?.onForeignAnswer(message.id);
}

function tellStray(text: string, carrier: Exclude<Carrier, { kind: 'body' }>, { listener }: MessageSink): void {
  if (carrier.hasStrayed) return;
  carrier.hasStrayed = true;
  listener?.onStray(text);
}

/** Ids are compared as texts: some servers answer a number with its digits. */
const isOwn = (id: RequestId, carrier: Carrier, sink: MessageSink): boolean =>
  (carrier.kind !== 'push' && String(id) === String(carrier.id)) || sink.isAnsweredElsewhere(id);
