import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findTokenParameter, parseChallenges } from './challenges';

const toPlain = (header: string) => parseChallenges(header).map(({ scheme, parameters }) => [scheme, Object.fromEntries(parameters)]);

describe('parseChallenges', () => {
  it.each([
    ['Bearer', [['bearer', {}]]],
    ['Basic realm="x", Bearer resource_metadata="https://a/b", scope="r w"', [['basic', { realm: 'x' }], ['bearer', { resource_metadata: 'https://a/b', scope: 'r w' }]]],
    ['DPoP algs="ES256 RS256", Bearer error=invalid_token', [['dpop', { algs: 'ES256 RS256' }], ['bearer', { error: 'invalid_token' }]]],
    ['Negotiate YII=, Bearer realm = "a, b=\\"c\\""', [['negotiate', {}], ['bearer', { realm: 'a, b="c"' }]]],
    ['Negotiate, NTLM , Bearer scope=a', [['negotiate', {}], ['ntlm', {}], ['bearer', { scope: 'a' }]]],
    ['Bearer resource_metadata=https://a.example/x?y=1', [['bearer', { resource_metadata: 'https://a.example/x?y=1' }]]],
    ['', []],
    ['"", ,,', []],
  ])('reads %s', (header, expected) => {
    expect(toPlain(header)).toEqual(expected);
  });

  it('takes parameters of a token from schemes that have one', () => {
    expect(findTokenParameter('Basic realm="a", scope="no", Bearer scope="yes"', 'scope')).toBe('yes');
    expect(findTokenParameter('Basic realm="scope=\\"no\\""', 'scope')).toBeUndefined();
    expect(findTokenParameter('DPoP scope="bound", Bearer error="x"', 'scope')).toBe('bound');
  });

  it('never fails, and ends', () => {
    const piece = fc.constantFrom('Bearer', 'Basic', ' ', ',', '=', '"', '\\', 'a', 'scope="x"', 'ü', '\t', 'a=b', 'QUJD==');
    fc.assert(fc.property(fc.array(piece, { maxLength: 60 }), (pieces) => {
      expect(Array.isArray(parseChallenges(pieces.join('')))).toBe(true);
    }));
    expect(parseChallenges('a="'.repeat(5_000))).toBeDefined();
  });
});
