import { isObject } from '@/lib/core';
import { readBase64, type Base64 } from './base64';

/** A part of an answer as it is shown. What is not understood keeps its place, labelled, as it came. */
export type Block =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly mimeType: string; readonly data: Base64 }
  | { readonly kind: 'audio'; readonly mimeType: string; readonly data: Base64 }
  | {
      readonly kind: 'link';
      readonly uri: string;
      readonly name: string | null;
      readonly description: string | null;
      readonly mimeType: string | null;
      readonly sizeBytes: number | null;
    }
  | { readonly kind: 'text_resource'; readonly uri: string; readonly mimeType: string | null; readonly text: string }
  | { readonly kind: 'blob_resource'; readonly uri: string; readonly mimeType: string | null; readonly data: Base64 }
  | { readonly kind: 'unknown'; readonly type: string; readonly raw: unknown }
  | { readonly kind: 'malformed'; readonly type: string; readonly reason: string; readonly raw: unknown };

/** One content block of a tool's answer or a prompt's message; never throws, and loses nothing. */
export function readBlock(raw: unknown): Block {
  if (!isObject(raw)) return malformed('block', 'it is no object', raw);
  const type = raw['type'];
  if (typeof type !== 'string') return malformed('block', 'it has no type', raw);
  switch (type) {
    case 'text':
      return typeof raw['text'] === 'string' ? { kind: 'text', text: raw['text'] } : malformed(type, 'its text is no text', raw);
    case 'image':
    case 'audio':
      return readMedia(type, raw);
    case 'resource_link':
      return readLink(raw);
    case 'resource':
      return readResource(raw['resource'], raw);
    default:
      return { kind: 'unknown', type, raw };
  }
}

/** One of the contents of a resource that was read. */
export const readResourceContents = (raw: unknown): Block => readResource(raw, raw);

function readMedia(kind: 'image' | 'audio', raw: Readonly<Record<string, unknown>>): Block {
  const mimeType = raw['mimeType'];
  if (typeof raw['data'] !== 'string') return malformed(kind, 'it has no data', raw);
  const data = readBase64(raw['data']);
  if (data === null) return malformed(kind, 'its data is no base64', raw);
  return { kind, mimeType: typeof mimeType === 'string' ? mimeType : 'type not stated', data };
}

function readLink(raw: Readonly<Record<string, unknown>>): Block {
  if (typeof raw['uri'] !== 'string') return malformed('resource_link', 'it has no address', raw);
  return {
    kind: 'link',
    uri: raw['uri'],
    name: textOf(raw['title']) ?? textOf(raw['name']),
    description: textOf(raw['description']),
    mimeType: textOf(raw['mimeType']),
    sizeBytes: typeof raw['size'] === 'number' ? raw['size'] : null,
  };
}

function readResource(resource: unknown, raw: unknown): Block {
  if (!isObject(resource)) return malformed('resource', 'it holds no resource', raw);
  if (typeof resource['uri'] !== 'string') return malformed('resource', 'it has no address', raw);
  const common = { uri: resource['uri'], mimeType: textOf(resource['mimeType']) };
  if (typeof resource['text'] === 'string') return { kind: 'text_resource', ...common, text: resource['text'] };
  if (typeof resource['blob'] !== 'string') return malformed('resource', 'it has neither text nor data', raw);
  const data = readBase64(resource['blob']);
  return data === null ? malformed('resource', 'its data is no base64', raw) : { kind: 'blob_resource', ...common, data };
}

const malformed = (type: string, reason: string, raw: unknown): Block => ({ kind: 'malformed', type, reason, raw });

const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
