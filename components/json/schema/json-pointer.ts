import { isObject } from '@/lib/core';

/**
 * Follows a JSON Pointer, with or without the `#` of a fragment, `~1`, `~0` and percent escapes read.
 * undefined where nothing stands there.
 */
export function findAtPointer(root: unknown, pointer: string): unknown {
  const segments = readSegments(pointer);
  if (segments === undefined) return undefined;
  let value = root;
  for (const segment of segments) {
    if (Array.isArray(value)) value = /^(0|[1-9]\d*)$/.test(segment) ? value[Number(segment)] : undefined;
    else if (isObject(value) && Object.hasOwn(value, segment)) value = value[segment];
    else return undefined;
  }
  return value;
}

function readSegments(pointer: string): string[] | undefined {
  const text = pointer.replace(/^#/, '');
  if (text === '') return [];
  if (!text.startsWith('/')) return undefined;
  try {
    return text.slice(1).split('/').map((segment) => decodeURIComponent(segment).replace(/~1/g, '/').replace(/~0/g, '~'));
  } catch {
    return undefined;
  }
}

/** `/items/0/name` of a path of names and indices. */
export const toPointer = (path: readonly (string | number)[]): string =>
  path.map((segment) => `/${String(segment).replace(/~/g, '~0').replace(/\//g, '~1')}`).join('');
