import { describe, expect, it } from 'vitest';
import { findSharedRevisions, isAboutRevisions } from '.';

describe('a refusal of a revision', () => {
  it.each([
    ['Unsupported version; supported: 2025-03-26, 2025-06-18', ['2025-06-18', '2025-03-26']],
    ['Bad Request: Unsupported protocol version: 2025-11-25 (supported versions: 2024-11-05)', ['2024-11-05']],
    ['it speaks 2025-06-18', ['2025-06-18']],
    ['protocol version 2025-11-25 is not supported', []],
    ['Unsupported protocol version 2025-11-25', []],
    ['supported: 1999-01-01', []],
  ])('is read for what the server takes, not for what it was offered (%s)', (text, shared) => {
    expect(findSharedRevisions(text)).toEqual(shared);
  });

  it('is told from one that is about something else', () => {
    expect(isAboutRevisions('Unsupported protocol version')).toBe(true);
    expect(isAboutRevisions('this version is too new: use 2025-06-18')).toBe(true);
    expect(isAboutRevisions('the schema version 3 is unknown')).toBe(false);
    expect(isAboutRevisions('no invoice of 2025-06-18')).toBe(false);
  });
});
