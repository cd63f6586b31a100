import { isObject } from '@/lib/core';

/** An object of the wire without the members that are null, however deep: a server that writes null for what it leaves out means that there is nothing. */
export function withoutNulls(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== null)
      .map(([name, member]) => [name, mend(member)]),
  );
}

function mend(member: unknown): unknown {
  if (Array.isArray(member)) return member.map(mend);
  return isObject(member) ? withoutNulls(member) : member;
}
