import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SEARCHED_CHARACTERS, toSearchedText, toTextQuery } from './search-text';

describe('a query of the text index', () => {
  it('quotes every word and takes the last one for a beginning', () => {
    expect(toTextQuery('read /tmp/a-b.txt')).toBe('"read" AND "/tmp/a-b.txt" *');
    expect(toTextQuery('say "hi" OR NEAR(x)')).toBe('"say" AND """hi""" AND "OR" AND "NEAR(x)"');
  });

  it('takes one letter, and a word that ends in a sign, for whole', () => {
    expect(toTextQuery('a')).toBe('"a"');
    expect(toTextQuery('done.')).toBe('"done."');
    expect(toTextQuery('文')).toBe('"文" *');
  });

  it('asks for words in place of a beginning where they are known, and for what narrows it', () => {
    const known = (beginning: string) => (beginning === 'inv' ? ['inv', 'invoice'] : null);
    expect(toTextQuery('read INV', [['x', 'y'], ['z']], known)).toBe('"read" AND ("inv" OR "invoice") AND ("x" OR "y") AND ("z")');
    expect(toTextQuery('read other', [], known)).toBe('"read" AND "other" *');
    expect(toTextQuery('a/inv', [], known)).toBe('"a/inv" *');
  });

  it('leaves out what is no word', () => {
    expect(toTextQuery(' - * "" read ()')).toBe('"read" *');
  });
});

describe('what is searched of a JSON text', () => {
  it('is its words, with escapes read, those of JSON within JSON too', () => {
    expect(toSearchedText(JSON.stringify({ path: 'a\nb', u: '\u00e9' }))).toMatch(/a b/);
    expect(toSearchedText('{"u":"\\u00e9t\\u00e9"}')).toContain('été');
    expect(toSearchedText(JSON.stringify({ text: JSON.stringify({ line: 'one\ntwo' }) }))).toMatch(/one two/);
    expect(toSearchedText(JSON.stringify({ path: 'C:\\new' }))).toContain('C:\\new');
  });

  it('is not the members that every result has, nor base64', () => {
    const words = toSearchedText(JSON.stringify({ content: [{ type: 'text', text: 'found' }, { type: 'image', data: 'iVBORw0KGgo'.repeat(100) }], isError: false }), 'result');
    expect(words).toContain('found');
    expect(words).not.toMatch(/content|isError|iVBOR|"text"/);
    expect(toSearchedText(JSON.stringify({ text: 'kept' }))).toContain('text');
  });

  it('is bounded and takes any text, cut anywhere', () => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.nat(), (text, at) => {
        expect(typeof toSearchedText(text.slice(0, at % (text.length + 1)))).toBe('string');
      }),
    );
    expect(toSearchedText('ab '.repeat(SEARCHED_CHARACTERS)).length).toBeLessThanOrEqual(SEARCHED_CHARACTERS);
  });
});
