import { describe, expect, it } from 'vitest';
import { endStopped, withSightings } from './end-of-call';

const end = endStopped({ kind: 'timeout', which: 'total', clock: { ms: 5_000, source: 'server', field: 'limits.total_s' } }, true, { serverKey: 'fs', tool: 'read', longRunning: false });

describe('the end of a call that was waited for in vain', () => {
  it('quotes the line that may have held its answer', () => {
    const { error, outcome } = withSightings(end, { quoted: 'bar 100%\r{"jsonrpc":"2.0","id":4,"result":{}}' });
    expect(outcome).toBe('timeout');
    expect(error.message).toMatch(/total limit of 5 s.*in one line.*"id":4/s);
    expect(error.details).toEqual({ quoted: 'bar 100%\r{"jsonrpc":"2.0","id":4,"result":{}}' });
  });

  it('says that the server was not reading, where it was not', () => {
    expect(withSightings(end, { unreadBytes: 1_048_576 }).error).toMatchObject({
      message: expect.stringContaining('not reading its input: 1.0 MiB') as unknown, details: { unread_bytes: 1_048_576 },
    });
  });

  it('is as it was where nothing was seen', () => {
    expect(withSightings(end, {})).toBe(end);
  });
});
