import { describe, expect, it } from 'vitest';
import { toCloseFailure } from './close-codes';

const subject = { server: 'it', address: 'ws://host/mcp' };

describe('what a close code says', () => {
  it('is in words, with the code and the reason', () => {
    expect(toCloseFailure(1011, 'db down', subject)).toMatchObject({
      code: 'closed_by_server', message: 'ws://host/mcp closed the connection: code 1011, an error on its side: "db down".', evidence: { closeCode: 1011, closeReason: 'db down' },
    });
    expect(toCloseFailure(1005, '', subject).message).toBe('ws://host/mcp closed the connection: without saying why (no code).');
    expect(toCloseFailure(4321, '', subject).message).toContain('code 4321, a code of its own');
  });

  it('is a sign-in, a refusal or a break where it says so', () => {
    expect(toCloseFailure(4401, '', subject)).toMatchObject({ code: 'unauthorized', message: 'ws://host/mcp asks for a sign-in (close code 4401).' });
    expect(toCloseFailure(1008, 'no', subject)).toMatchObject({ code: 'closed_for_policy' });
    expect(toCloseFailure(1006, '', subject, 'read ECONNRESET')).toMatchObject({ code: 'connection_reset', evidence: { detail: 'read ECONNRESET' } });
  });

  it('shows hidden characters of a reason', () => {
    expect(toCloseFailure(1000, 'a\u202Eb', subject).message).toContain('a<U+202E>b');
  });
});
