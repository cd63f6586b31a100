import type { JSONRPCMessage, MessageExtraInfo } from '@modelcontextprotocol/client';
import { isNestedDeeperThan, type JsonObject } from '@/lib/core';
import { findContentFault } from '../..';
import { isResponse, type RequestId, type WireMessage, type WireResponse } from '../transports/frame';
import { toSdkMessage } from '../transports/sdk-message';
import { toJsonObject, type Ask } from './ask';
import type { Handshake } from './handshake';
import type { InboundRequests } from './inbound-requests';
import { toLogText } from './log-text';
import type { OpenRequests } from './open-requests';

interface IncomingParts {
  readonly requests: OpenRequests;
  readonly inbound: InboundRequests;
  readonly handshake: Handshake;
  /** Whether answers may ask for input first: only the modern era has that. */
  readonly isModern: () => boolean;
  readonly passOn: (message: JSONRPCMessage, extra?: MessageExtraInfo) => void;
  /** Whatever the library does next is for this ask. */
  readonly runAs: (ask: Ask, run: () => void) => void;
  readonly note: (text: string) => void;
  readonly hideSession: (text: string) => string;
  readonly onListChanged: (kind: 'tools' | 'resources' | 'prompts') => void;
  readonly onUnusable: (id: RequestId, reason: string) => void;
  readonly onInvalidRequest: (id: RequestId | null, reason: string) => void;
  readonly onRemark: (sentence: string, weight: 'warning', kind: string) => void;
}

/** What is nested deeper cannot be walked, printed or kept. Of a list only the entries that are so deep are set aside. */
const DEEPEST = 1_000;
const TAKEN = { code: -32_603, message: 'taken at the recording transport' };
const CANCELLED_BY_SERVER = -32_800;

/** Takes what comes from the server: answers to whoever asked, notes to the calls they are of, the rest to the library. */
export class Incoming {
  /** What came and belonged to nothing, or was read only as far as it went: it is counted, and told once at the end. */
  private readonly counted = { answers: 0, notes: 0, faultyResults: 0 };

  constructor(private readonly parts: IncomingParts) {}

  /** A message that is nested deeper than the stack goes makes whoever walks it throw: that ends its request, nothing else. */
  receive(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    try {
      this.receiveMessage(message, extra);
    } catch (error) {
      const reason = `it cannot be read (${error instanceof Error ? error.message : String(error)})`;
      if (!('method' in message) && message.id !== undefined) this.parts.onUnusable(message.id, reason);
      else this.parts.onInvalidRequest('id' in message ? (message.id ?? null) : null, reason);
    }
  }

  countForeignAnswer(): void {
    this.counted.answers += 1;
  }

  /** Tells the library's client that a request of its is over, so that it keeps no timer for it. */
  tellOver(key: string, error: { readonly code: number; readonly message: string; readonly data?: unknown }): void {
    this.parts.requests.remove(key);
    const id = /^\d+$/.test(key) ? Number(key) : key;
    this.parts.passOn(toSdkMessage({ jsonrpc: '2.0', id, error }));
  }

  /** What is to be said at the end of all that was counted. */
  describeCounted(): string[] {
    const { answers, notes, faultyResults } = this.counted;
    const parts = [
      ...(answers > 0 ? [`${answers} ${answers === 1 ? 'answer' : 'answers'} that nothing waited for`] : []),
      ...(notes > 0 ? [`${notes} ${notes === 1 ? 'note' : 'notes'} of progress for no call`] : []),
    ];
    return [
      ...(faultyResults > 1 ? [`${faultyResults} results of calls were not as the protocol wants them while it was connected`] : []),
      ...(parts.length > 0 ? [`${parts.join(' and ')} came and went while it was connected`] : []),
    ];
  }

  private receiveMessage(message: JSONRPCMessage, extra?: MessageExtraInfo): void {
    const { inbound, isModern, passOn } = this.parts;
    // Our readers checked the envelope; the library's type says the same more narrowly.
    const wire = message as unknown as WireMessage;
    if (isResponse(wire)) this.receiveResponse(wire, extra);
    else if ('method' in message && 'id' in message) {
      if (isModern()) inbound.ignore(message);
      else inbound.receive(message, extra);
    } else this.receiveNotification(wire.method, wire.params, () => passOn(message, extra));
  }

  private receiveNotification(method: string, params: Readonly<Record<string, unknown>> | undefined, passOn: () => void): void {
    const { note, hideSession, onListChanged } = this.parts;
    switch (method) {
      case 'notifications/progress':
        return this.receiveProgress(params);
      case 'notifications/message':
        return note(hideSession(toLogText(params)));
      case 'notifications/cancelled':
        return this.receiveCancellation(params, passOn);
      case 'notifications/tools/list_changed':
        onListChanged('tools');
        break;
      case 'notifications/resources/list_changed':
        onListChanged('resources');
        break;
      case 'notifications/prompts/list_changed':
        onListChanged('prompts');
        break;
    }
    passOn();
  }

  private receiveProgress(params: Readonly<Record<string, unknown>> | undefined): void {
    const ask = this.parts.requests.findByToken(String(params?.progressToken));
    if (ask === null) this.counted.notes += 1;
    else ask.progress(typeof params?.message === 'string' ? { ...params, message: this.parts.hideSession(params.message) } : params);
  }

  private receiveCancellation(params: Readonly<Record<string, unknown>> | undefined, passOn: () => void): void {
    const key = String(params?.requestId);
    const ask = this.parts.requests.find(key)?.ask;
    if (!ask) {
      const id = params?.requestId;
      if (typeof id === 'string' || typeof id === 'number') this.parts.inbound.settle(id);
      return passOn();
    }
    const reason = typeof params?.reason === 'string' ? `: ${this.parts.hideSession(params.reason)}` : '';
    ask.settle({ kind: 'rpc_error', code: CANCELLED_BY_SERVER, message: `the server cancelled the request${reason}`, data: null });
    this.tellOver(key, TAKEN);
  }

  private receiveResponse(response: WireResponse, extra?: MessageExtraInfo): void {
    const { requests, handshake, passOn } = this.parts;
    const waiting = requests.find(response.id);
    handshake.noteAnswer();
    // A second answer to one request, or one to a request that never was: the first answer stands.
    if (!waiting) return this.countForeignAnswer();
    const { ask, method } = waiting;
    if (ask === null) {
      requests.remove(response.id);
      passOn(toSdkMessage(handshake.take(method, response)), extra);
    } else if (ask.isSettled) {
      requests.remove(response.id);
      if ('result' in response) ask.late(response.result);
    } else this.settle(ask, method, response, extra);
  }

  private settle(ask: Ask, method: string, response: WireResponse, extra?: MessageExtraInfo): void {
    const { requests, isModern, passOn, runAs, hideSession } = this.parts;
    ask.markFirstByte();
    if (!method.endsWith('/list') && isNestedDeeperThan(response, DEEPEST)) return this.parts.onUnusable(response.id, `it is nested more than ${DEEPEST} levels deep`);
    if (!('result' in response)) {
      const { code, message, data } = response.error;
      ask.settle({ kind: 'rpc_error', code, message: hideSession(message), data: data ?? null });
      return this.tellOver(String(response.id), response.error);
    }
    if (isModern() && response.result.resultType === 'input_required') {
      requests.remove(response.id);
      return runAs(ask, () => passOn(toSdkMessage(response), extra));
    }
    if (ask.isTask) requests.beginTask(response.id, ask);
    const result = toJsonObject(response.result);
    if (method === 'tools/call') this.noteContent(result);
    ask.settle({ kind: 'result', result });
    this.tellOver(String(response.id), TAKEN);
  }

  private noteContent(result: JsonObject): void {
    const fault = result.resultType === 'task' || 'task' in result ? null : findContentFault(result);
    if (fault === null) return;
    this.counted.faultyResults += 1;
    this.parts.onRemark(`it answers a call with a result that is not as the protocol wants it: ${fault}; such results are read as far as they go`, 'warning', 'content');
  }
}
