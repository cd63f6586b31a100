import { z } from 'zod';
import type { Branded } from '@/lib/core';

export type ServerKey = Branded<'server-key'>;

/** No `__` inside and none at the end, so that `key__tool` splits one way only. */
const KEY = /^[a-z](?:[a-z0-9-]|_(?!_|$)){0,31}$/;

export const isServerKey = (text: string): text is ServerKey => KEY.test(text);

export const KEY_RULE =
  'a key begins with a small letter and has only small letters, digits, "-" and single "_" (none at the end), 32 at most';

export const serverKeySchema = z.string().refine(isServerKey, { error: `Write another key: ${KEY_RULE}.` });

/**
 * The key that a name from somebody's file becomes: lower case, other characters `_`, runs of `_` merged,
 * none at the end, 32 at most; a name that begins with no letter gets `s_` in front, one without any letter or digit
 * is `server`.
 */
export function toServerKey(name: string): ServerKey {
  const letters = name.toLowerCase().replace(/[^a-z0-9-]/g, '_').replace(/_+/g, '_');
  const bare = letters.replace(/^[_-]+/, '');
  const headed = bare === '' ? 'server' : /^[a-z]/.test(letters) ? letters : `s_${bare}`;
  const key = headed.slice(0, 32).replace(/_+$/, '');
  if (!isServerKey(key)) throw new Error(`made a malformed key: ${key}`);
  return key;
}
