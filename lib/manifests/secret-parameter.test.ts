import { describe, expect, it } from 'vitest';
import fc from 'fast-check';
import { findingsOf, mendToolList, type Finding } from '.';

function findingsOfParameter(name: string, schema: object = { type: 'string' }): readonly Finding[] {
  const [tool] = mendToolList([{ name: 'search', inputSchema: { type: 'object', properties: { [name]: schema } } }]).tools;
  if (tool === undefined) throw new Error('the tool was set aside');
  return findingsOf(tool).filter(({ kind }) => kind === 'secret_asked');
}

/** The ways in which people write a name of several words. */
const SPELLINGS: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.join('_'),
  (words) => words.join('-'),
  (words) => words.join('_').toUpperCase(),
  (words) => words.map((word, at) => (at === 0 ? word : word.slice(0, 1).toUpperCase() + word.slice(1))).join(''),
  (words) => words.map((word) => word.slice(0, 1).toUpperCase() + word.slice(1)).join(''),
];

const spelling = fc.constantFrom(...SPELLINGS);

const SECRETS = [
  'token', 'api token', 'auth token', 'access token', 'access tokens', 'refresh token', 'bearer token', 'id token', 'bot token', 'github token', 'csrf token', 'session token',
  'user token', 'next auth token', 'page access token', 'api tokens', 'api key', 'private key', 'password', 'passwords', 'new password', 'client secret', 'credentials', 'db password', 'jwt',
];

const PLACES_AND_COUNTS = [
  'max tokens', 'max completion tokens', 'min tokens', 'token count', 'token limit', 'num tokens', 'max new tokens', 'total tokens', 'prompt tokens', 'tokens', 'output tokens', 'budget tokens',
  'next token', 'page token', 'next page token', 'prev page token', 'continuation token', 'sync token', 'next sync token', 'start token', 'stop token', 'eos token', 'progress token', 'resume token', 'cursor token',
];

describe('a parameter that asks for a secret', () => {
  it.each(SECRETS)('is told by its name: %s', (words) => {
    fc.assert(fc.property(spelling, (spell) => findingsOfParameter(spell(words.split(' '))).length === 1));
  });

  it.each(PLACES_AND_COUNTS)('is not what names a place in a list or a number of tokens: %s', (words) => {
    fc.assert(fc.property(spelling, (spell) => findingsOfParameter(spell(words.split(' '))).length === 0));
  });

  it('is not one that takes a number or a yes or no, whatever it is called', () => {
    const schema = fc.constantFrom({ type: 'integer' }, { type: 'number' }, { type: 'boolean' }, { type: ['integer', 'null'] });
    fc.assert(fc.property(spelling, fc.constantFrom(...SECRETS), schema, (spell, words, of) => findingsOfParameter(spell(words.split(' ')), of).length === 0));
  });

  it('may take a text as well: then its name tells', () => {
    for (const schema of [{ type: ['string', 'integer'] }, {}, { anyOf: [{ type: 'integer' }, { type: 'string' }] }]) {
      expect(findingsOfParameter('password', schema)).toMatchObject([{ kind: 'secret_asked', where: 'inputSchema.properties.password', quote: 'password' }]);
    }
  });
});
