import { isSecretName } from '@/lib/core';
import { isWireObject } from './wire-json';

/** Of a token: that it is a place in a list or in a text, or one of many that are counted. */
const NO_SECRET_TOKEN = new Set([
  'next', 'prev', 'previous', 'page', 'continuation', 'continue', 'cursor', 'sync', 'resume', 'progress', 'start', 'stop', 'end', 'eos', 'bos', 'pad', 'mask',
  'max', 'maximum', 'min', 'minimum', 'num', 'number', 'total', 'count', 'limit', 'budget', 'prompt', 'completion', 'input', 'output', 'new', 'reasoning', 'thinking', 'cached',
]);
/** Of a token: that it opens something, whatever else is said of it. */
const SECRET_TOKEN = new Set(['api', 'auth', 'oauth', 'access', 'refresh', 'bearer', 'id', 'session', 'csrf', 'xsrf', 'bot', 'user', 'personal', 'jwt', 'secret', 'private', 'security', 'login']);

/** What cannot hold a secret that a person has. */
const NO_TEXT = new Set<unknown>(['integer', 'number', 'boolean', 'null']);

/**
 * Whether a parameter asks for a secret, by its name and its schema. More exact than `isSecretName`, which hides: a person
 * who is warned of `max_tokens` and of every `next_page_token` no longer reads the warnings.
 */
export function isSecretParameter(name: string, schema: unknown): boolean {
  return isSecretName(name) && !isCountOrPlace(name) && !takesNoText(schema);
}

function isCountOrPlace(name: string): boolean {
  const words = name.replace(/([a-z0-9])([A-Z])/g, '$1 $2').toLowerCase().split(/[^a-z0-9]+/).filter((word) => word !== '');
  const last = words.pop();
  if (last !== 'token' && last !== 'tokens') return false;
  if (words.some((word) => SECRET_TOKEN.has(word))) return false;
  return last === 'tokens' || words.some((word) => NO_SECRET_TOKEN.has(word));
}

function takesNoText(schema: unknown): boolean {
  if (!isWireObject(schema)) return false;
  const { type } = schema;
  return Array.isArray(type) ? type.length > 0 && type.every((each) => NO_TEXT.has(each)) : NO_TEXT.has(type);
}
