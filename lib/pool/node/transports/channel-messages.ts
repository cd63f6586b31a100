import { isObject } from '@/lib/core';
import { BATCH_REVISION, IN_A_BATCH, isResponse, toFrame, type Frame, type WireMessage } from './frame';
import type { ScannedMessage } from './message-scanner';
import type { WireListener } from './transport';

/** One channel for the answers to all requests: the frames of a WebSocket, the stream of HTTP+SSE. */
export interface Channel {
  readonly listener: WireListener | null;
  /** The negotiated revision, null while there is none. */
  readonly revision: string | null;
  deliver(message: WireMessage): void;
}

/** A text that is no JSON and yet claims to be a message: one that was cut, say. */
const CLAIMS = /^\s*\{[^]*"(?:error|result|jsonrpc)"\s*:/;
const NO_MESSAGE = 'it is no JSON-RPC message';

/**
 * Reads a text that has the channel's place for a message. One that claims to be an answer and can settle nothing
 * ends the request it names, or the only one that waits; one that claims nothing (a heartbeat) is stray.
 */
export function readChannelText(text: string, channel: Channel): void {
  const { listener } = channel;
  listener?.onWire('received', text);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    if (CLAIMS.test(text)) listener?.onUnusable(null, NO_MESSAGE, text);
    else listener?.onStray(text);
    return;
  }
  const frame = toFrame(value);
  if (frame.kind === 'batch') for (const element of frame.elements) readElement(element, channel);
  else readFrame(frame, value, text, channel);
}

/** A message over the limit: only whose it was is known. */
export function readLargeMessage(message: ScannedMessage, begin: string, sizeBytes: number, limitBytes: number, { listener }: Channel): void {
  listener?.onWire('received', begin, sizeBytes);
  listener?.onTooLarge(message.claimsProtocol && !message.hasMethod ? message.id : null, sizeBytes, limitBytes);
}

function readFrame(frame: Exclude<Frame, { kind: 'batch' }>, value: unknown, text: string, channel: Channel): void {
  const { listener } = channel;
  switch (frame.kind) {
    case 'message':
      channel.deliver(frame.message);
      return;
    case 'unusable':
      readUnusable(frame, text, channel);
      return;
    case 'stray':
      if (isObject(value) && ('error' in value || 'result' in value)) listener?.onUnusable(null, NO_MESSAGE, text);
      else listener?.onStray(text);
  }
}

function readUnusable({ isAnswer, id, reason }: Extract<Frame, { kind: 'unusable' }>, text: string, { listener }: Channel): void {
  if (isAnswer) listener?.onUnusable(id, reason, text);
  else listener?.onInvalidRequest(id, reason, text);
}

/** An element of a batch, which only one revision has. */
function readElement(element: unknown, channel: Channel): void {
  const text = toText(element);
  const frame = toFrame(element);
  if (frame.kind === 'batch') return channel.listener?.onStray(text);
  if (frame.kind !== 'message' || channel.revision === BATCH_REVISION) return readFrame(frame, element, text, channel);
  const { message } = frame;
  const id = 'id' in message ? message.id : null;
  readUnusable({ kind: 'unusable', isAnswer: isResponse(message), id, reason: IN_A_BATCH }, text, channel);
}

/** What is nested deeper than the stack goes can be read and not be written. */
function toText(element: unknown): string {
  try {
    return JSON.stringify(element);
  } catch {
    return 'nested too deep to be shown';
  }
}
