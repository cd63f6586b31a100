import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { ConnectFailure } from '../..';
import type { WireSendOptions, WireTransport } from '../transports/transport';
import type { Ask } from './ask';
import type { Handshake } from './handshake';
import type { InboundRequests } from './inbound-requests';
import type { OpenRequests } from './open-requests';

interface OutgoingParts {
  readonly inner: WireTransport;
  /** The request of ours that the message is sent for. */
  readonly ask: Ask | null;
  readonly requests: OpenRequests;
  readonly inbound: InboundRequests;
  readonly handshake: Handshake;
  readonly toFailure: (cause: unknown) => ConnectFailure;
}

/** Sends a message of the library's client; a request is kept with the ask that it is made for until it is answered. */
export async function sendOut(message: JSONRPCMessage, options: WireSendOptions | undefined, parts: OutgoingParts): Promise<void> {
  const { inner, ask, requests, inbound, handshake } = parts;
  if (!('method' in message && 'id' in message)) {
    if (!('method' in message) && message.id !== undefined) inbound.settle(message.id);
    await inner.send(message, options);
    return;
  }
  const { id, method } = message;
  if (method === 'initialize') {
    handshake.beginInitialize();
    queueMicrotask(() => inbound.release());
  }
  requests.add(id, { method, ask });
  const onSent = () => {
    handshake.noteSent();
    ask?.markSent();
  };
  try {
    const content = method === 'tools/call' ? ask?.content : undefined;
    await inner.send(message, { ...options, onSent, ...(content !== undefined && { content }) });
  } catch (error) {
    requests.remove(id);
    ask?.fail(error, parts.toFailure);
    throw error;
  }
}
