import { expect, it } from 'vitest';
import { findRetryAfterMs } from './retry-after';

const NOW = Date.UTC(2026, 0, 1);

it.each([
  ['1', 1_000],
  ['3600', 3_600_000],
  ['0.5', 500],
  ['-5', 0],
  [new Date(NOW + 90_000).toUTCString(), 90_000],
  [new Date(NOW - 90_000).toUTCString(), 0],
  ['soon', null],
  ['', null],
  [undefined, null],
  ['9'.repeat(400), 365 * 24 * 60 * 60 * 1_000],
])('reads Retry-After: %s as %s ms', (value, ms) => {
  expect(findRetryAfterMs(new Headers(value === undefined ? {} : { 'retry-after': value }), NOW)).toBe(ms);
});
