import { expect } from 'vitest';

/** Vitest's matchers are typed `any`, which would spread into what they stand in. */
export const containing = (text: string): unknown => expect.stringContaining(text);
export const matching = (pattern: RegExp): unknown => expect.stringMatching(pattern);
export const anyText = (): unknown => expect.any(String);
export const including = (members: readonly unknown[]): unknown => expect.arrayContaining([...members]);
export const having = (members: Readonly<Record<string, unknown>>): unknown => expect.objectContaining(members);
