import { isObject } from '@/lib/core';

export type RequestId = string | number;

interface WireRequest {
  readonly jsonrpc: '2.0';
  readonly id: RequestId;
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

interface WireNotification {
  readonly jsonrpc: '2.0';
  readonly method: string;
  readonly params?: Readonly<Record<string, unknown>>;
}

interface WireError {
  readonly code: number;
  readonly message: string;
  readonly data?: unknown;
}

export type WireResponse =
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly result: Readonly<Record<string, unknown>> }
  | { readonly jsonrpc: '2.0'; readonly id: RequestId; readonly error: WireError };

export type WireMessage = WireRequest | WireNotification | WireResponse;

/** The only revision that has batches. */
export const BATCH_REVISION = '2025-03-26';
export const IN_A_BATCH = `it is in a batch, which only revision ${BATCH_REVISION} has`;
export const EMPTY_BATCH = 'it is an empty batch, which answers nothing';

export const isEmptyBatch = (value: unknown): boolean => Array.isArray(value) && value.length === 0;

export const isResponse = (message: WireMessage): message is WireResponse => !('method' in message);

/** What a piece of JSON that came from a server is. */
export type Frame =
  | { readonly kind: 'message'; readonly message: WireMessage }
  /** An array of messages, which only revision 2025-03-26 has. */
  | { readonly kind: 'batch'; readonly elements: readonly unknown[] }
  /** Claims to be a protocol message and is not a valid one; `id` is its own: an answer's is of our request, any other the server's. */
  | { readonly kind: 'unusable'; readonly isAnswer: boolean; readonly id: RequestId | null; readonly reason: string }
  /** Does not claim to be one: a log record, a heartbeat. */
  | { readonly kind: 'stray' };

/** Reads a text that may be a message; text that is no JSON is stray. */
export function parseFrame(text: string): Frame {
  try {
    return toFrame(JSON.parse(text));
  } catch {
    return { kind: 'stray' };
  }
}

export function toFrame(value: unknown): Frame {
  if (Array.isArray(value)) {
    const claims = value.some((element) => isObject(element) && 'jsonrpc' in element);
    return claims ? { kind: 'batch', elements: value } : { kind: 'stray' };
  }
  if (!isObject(value) || !('jsonrpc' in value)) return { kind: 'stray' };
  const id = toId(value.id);
  const isAnswer = value.method === undefined || value.method === null;
  const unusable = (reason: string): Frame => ({ kind: 'unusable', isAnswer, id, reason });
  if (value.jsonrpc !== '2.0') return unusable(`"jsonrpc" is ${quote(value.jsonrpc)} instead of "2.0"`);
  return typeof value.method === 'string' ? toRequest(value, value.method, id, unusable) : toResponse(value, id, unusable);
}

type Unusable = (reason: string) => Frame;

function toRequest(value: Readonly<Record<string, unknown>>, method: string, id: RequestId | null, unusable: Unusable): Frame {
  // A server that writes null for what it leaves out means that there is nothing.
  const params = value.params ?? undefined;
  if (params !== undefined && !isObject(params)) return unusable(`"params" of ${quote(method)} is no object`);
  const call = params === undefined ? { jsonrpc: '2.0' as const, method } : { jsonrpc: '2.0' as const, method, params };
  if (value.id === undefined || (value.id === null && method.startsWith('notifications/'))) return { kind: 'message', message: call };
  if (id === null) return unusable(`"id" of ${quote(method)} is ${quote(value.id)}, neither text nor number`);
  return { kind: 'message', message: { ...call, id } };
}

function toResponse(value: Readonly<Record<string, unknown>>, id: RequestId | null, unusable: Unusable): Frame {
  if (value.method !== undefined && value.method !== null) return unusable(`"method" is ${quote(value.method)}, which is no text`);
  const error = value.error ?? undefined;
  if (error !== undefined && (value.result ?? undefined) !== undefined) return unusable('it has both "result" and "error", so nobody can say which holds');
  if (error !== undefined) {
    if (!isObject(error)) return unusable(`"error" is ${quote(error)}, which is no object`);
    const { code, message, data } = error;
    if (typeof code !== 'number' || typeof message !== 'string') return unusable('"error" lacks a number as code or a text as message');
    if (id === null) return unusable(`an error that names no request: ${message}`);
    return { kind: 'message', message: { jsonrpc: '2.0', id, error: data === undefined ? { code, message } : { code, message, data } } };
  }
  if (!('result' in value)) return unusable('it has neither "method", "result" nor "error"');
  if (!isObject(value.result)) return unusable(`"result" is ${quote(value.result)}, which is no object`);
  if (id === null) return unusable(`"id" is ${quote(value.id)}, so it answers no request`);
  return { kind: 'message', message: { jsonrpc: '2.0', id, result: value.result } };
}

const toId = (id: unknown): RequestId | null => (typeof id === 'string' || typeof id === 'number' ? id : null);

/** A value in its JSON, short; what is nested deeper than the stack goes is named so. */
function quote(value: unknown): string {
  try {
    const text = JSON.stringify(value) ?? 'missing';
    return text.length > 80 ? `${text.slice(0, 80)}…` : text;
  } catch {
    return 'nested too deep to be shown';
  }
}

/**
 * The answer that shares its line with other text, read from after the line's last carriage return or after a
 * byte-order mark; null where there is none. Whoever asks must know that the id is waited for (product section 2.1).
 */
export function findGluedAnswer(line: string): WireResponse | null {
  for (const mark of ['\r', '\uFEFF']) {
    const at = line.lastIndexOf(mark);
    if (at === -1) continue;
    const frame = parseFrame(line.slice(at + 1));
    if (frame.kind === 'message' && isResponse(frame.message)) return frame.message;
  }
  return null;
}
