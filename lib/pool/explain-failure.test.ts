import { describe, expect, it } from 'vitest';
import { CONNECT_FAILURE_CODES, explainFailure } from '.';

describe('explainFailure', () => {
  it.each(CONNECT_FAILURE_CODES)('says in a sentence what happened and what to do for %s', (code) => {
    const failure = explainFailure(code, { stage: 'negotiate', server: 'fs' });
    expect(failure.code).toBe(code);
    expect(failure.message).toMatch(/^[^\n]{12,}[.!?]$/);
    expect(failure.remediation).toMatch(/^[A-Z][^\n]{10,}\.$/);
    expect(failure.message).not.toMatch(/undefined|null|\[object/);
  });

  it('shows the PATH in force when a program is missing', () => {
    const failure = explainFailure('program_missing', { stage: 'resolve', server: 'x', program: 'npx', searchPath: '/usr/bin:/bin' });
    expect(failure.message).toBe('npx is not on the PATH that the console sees (/usr/bin:/bin).');
    expect(failure.remediation).toContain('give its full path');
  });

  it('quotes exit code and last words of a server that exited', () => {
    const evidence = { exitCode: 3, signal: null, stderr: ['starting', 'FATAL: key missing', ''] };
    const failure = explainFailure('exited_at_once', { stage: 'negotiate', server: 'x', evidence });
    expect(failure.message).toContain('it exited with code 3');
    expect(failure.message).toMatch(/its last words were "FATAL: key missing"\.$/);
    expect(failure.remediation).not.toContain('below');
  });

  it('writes hidden characters of a server out', () => {
    const failure = explainFailure('protocol_error', { stage: 'negotiate', server: 'x', said: 'a\u202Eb' });
    expect(failure.message).toContain('a<U+202E>b');
  });
});
