import { isObject, type Json, type JsonObject } from '@/lib/core';
import { findContentFault } from '@/lib/pool';
import type { CallError } from './outcome';
import { consoleRemedy, type RemedyFacts } from './remedies';

export interface AnswerReading {
  /** Structured content; without it the only text item as JSON; else the text (product section 10). */
  readonly value: Json;
  readonly error: CallError | null;
  readonly warnings: readonly string[];
}

export interface ReadAnswerOptions {
  /** The server's `reads_errors`: whether an error may be read out of a text that the protocol calls a success. */
  readonly readsErrors: boolean;
  readonly facts: RemedyFacts;
}

/** Reads a tool's result: its value, and the error it states in any of the forms of product section 5. */
export function readAnswer(result: JsonObject, options: ReadAnswerOptions): AnswerReading {
  const { value, fromText } = readValue(result);
  const marked = result['isError'] === true || result['isError'] === 'true';
  const fault = findContentFault(result);
  const warnings = [
    ...(result['isError'] === 'true' ? ['The server wrote isError as the text "true", which the protocol does not allow; it was read as an error.'] : []),
    ...(fault === null ? [] : [`The result is not as the protocol wants it: ${fault}. It was read as far as it goes.`]),
  ];
  const stated = toStated(value);
  if (marked) {
    const best = stated ?? lenient(value) ?? { code: 'tool_failed', message: toText(result, value) };
    return { value, error: toCallError(best, false, options.facts), warnings };
  }
  if (stated === null || (fromText && !options.readsErrors)) return { value, error: null, warnings };
  return { value, error: toCallError(stated, fromText, options.facts), warnings };
}

/** A JSON-RPC error in the shape of every other error; an envelope in its `data` is read too. */
export function fromRpcError(
  error: { readonly code: number; readonly message: string; readonly data: unknown },
  facts: RemedyFacts,
): CallError {
  const data = isObject(error.data) ? (error.data as JsonObject) : null; // what came over the wire as JSON is JSON
  const stated = data === null ? null : (toStated(data) ?? lenient(data));
  const best = stated ?? { code: 'protocol_error', message: error.message || `The server answered with the JSON-RPC error ${error.code}.` };
  return { ...toCallError(best, false, facts), rpcCode: error.code, details: best.details ?? (error.data === undefined ? null : error.data) };
}

interface Stated {
  readonly code: string;
  readonly message: string;
  readonly remediation?: string | null;
  readonly httpStatus?: number | null;
  readonly details?: unknown;
}

const ENVELOPE_KEYS: ReadonlySet<string> = new Set(['error', 'http_status', 'code', 'message', 'remediation', 'details', 'tool']);

/** The error that a value states by its shape alone: the envelope, or the flat form. */
function toStated(value: Json): Stated | null {
  if (!isObject(value) || Object.keys(value).some((key) => !ENVELOPE_KEYS.has(key))) return null;
  const { error, http_status: status } = value;
  const isEnvelope = (isObject(error) && isCode(error['code'])) || isFilled(error);
  const isFlat = typeof status === 'number' && status >= 400 && (isCode(value['code']) || isFilled(value['message']));
  return isEnvelope || isFlat ? readParts(value) : null;
}

/** What an answer that is marked as an error says of it, whatever else stands beside. */
function lenient(value: Json): Stated | null {
  if (!isObject(value)) return null;
  const { error } = value;
  const named = (isObject(error) && (isCode(error['code']) || isFilled(error['message']))) || isFilled(error);
  return named || (isCode(value['code']) && isFilled(value['message'])) ? readParts(value) : null;
}

function readParts(value: Readonly<Record<string, unknown>>): Stated {
  const inner = isObject(value['error']) ? value['error'] : {};
  const text = isFilled(value['error']) ? value['error'] : null;
  const outerMessage = isFilled(value['message']) ? value['message'] : null;
  const outerCode = isCode(value['code']) ? String(value['code']) : null;
  // `{"error": "not_found", "message": "…"}`: the short word is the code, the sentence the message.
  const wordCode = text !== null && outerMessage !== null && /^[A-Za-z0-9_.-]{1,64}$/.test(text) ? text : null;
  const code = isCode(inner['code']) ? String(inner['code']) : (outerCode ?? wordCode ?? 'tool_failed');
  const status = firstNumber(inner['http_status'], value['http_status']);
  return {
    code,
    message: (isFilled(inner['message']) ? inner['message'] : null) ?? outerMessage ?? text ?? `The tool answered with the error ${code}.`,
    remediation: [inner['remediation'], value['remediation']].find(isFilled) ?? null,
    httpStatus: status,
    details: inner['details'] ?? value['details'] ?? null,
  };
}

function toCallError(stated: Stated, readFromText: boolean, facts: RemedyFacts): CallError {
  const remediation = stated.remediation ?? null;
  const httpStatus = stated.httpStatus ?? null;
  return {
    code: stated.code,
    message: stated.message,
    remediation: remediation ?? consoleRemedy(stated.code, { ...facts, httpStatus }),
    remediationBy: remediation === null ? 'console' : 'server',
    httpStatus,
    details: stated.details ?? null,
    rpcCode: null,
    readFromText,
  };
}

function readValue(result: JsonObject): { readonly value: Json; readonly fromText: boolean } {
  const structured = result['structuredContent'];
  if (structured !== undefined && structured !== null) return { value: structured, fromText: false };
  const texts = listTexts(result);
  const [only] = texts;
  if (texts.length === 1 && only !== undefined) return { value: parseJson(only) ?? only, fromText: true };
  return { value: texts.join('\n'), fromText: true };
}

function listTexts(result: JsonObject): string[] {
  const content = result['content'];
  // A lone text or block in the place of the list says what it says.
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content];
  return typeof content === 'string'
    ? [content]
    : blocks.flatMap((block) => (isObject(block) && block['type'] === 'text' && typeof block['text'] === 'string' ? [block['text']] : []));
}

function toText(result: JsonObject, value: Json): string {
  const text = listTexts(result).join('\n');
  if (text !== '') return text;
  const written = value === '' || value === null ? '' : JSON.stringify(value);
  return written === '' ? 'The tool failed and said nothing about it.' : written;
}

/** Undefined where the text is no JSON; `null` is JSON and stays text, since no value would tell it apart. */
function parseJson(text: string): Json | undefined {
  const first = text.trimStart().charAt(0);
  if (!/[[{"\dtfn-]/.test(first)) return undefined;
  try {
    return JSON.parse(text) as Json; // what JSON.parse returns is JSON
  } catch {
    return undefined;
  }
}

const isFilled = (value: unknown): value is string => typeof value === 'string' && value !== '';
const isCode = (value: unknown): value is string | number => isFilled(value) || typeof value === 'number';
const firstNumber = (...values: readonly unknown[]): number | null => values.find((value): value is number => typeof value === 'number') ?? null;
