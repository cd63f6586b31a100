import { describe, expect, it } from 'vitest';
import { toDetailsJson } from './details-json';

describe('the details of an error on the command line', () => {
  it('spell the evidence of a failed connection as test --json does', () => {
    const evidence = { exitCode: 3, signal: null, stderr: ['no'], httpStatus: 500, headers: { contentType: 'x' }, certificate: { subject: 's', issuer: 'i', validTo: 'v' } };
    expect(toDetailsJson({ stage: 'spawn', code: 'exited', evidence })).toEqual({
      stage: 'spawn', code: 'exited',
      evidence: { exit_code: 3, signal: null, stderr: ['no'], http_status: 500, headers: { contentType: 'x' }, certificate: { subject: 's', issuer: 'i', valid_to: 'v' } },
    });
  });

  it('are left as they are where they are a server\'s own', () => {
    for (const details of [null, 'text', { exitCode: 3 }, { evidence: 'seen' }]) expect(toDetailsJson(details)).toEqual(details);
  });
});
