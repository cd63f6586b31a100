// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { readBase64, toBlob } from './base64';
import { readBlock } from './read-blocks';
import { PromptContent, ResourceContent, ResultContent } from './result-content';
import { toFollowable, toSafeName } from './safe-name';

afterEach(cleanup);

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

const show = (content: unknown, rest: Record<string, unknown> = {}) => render(<ResultContent result={{ content, ...rest }} />);

describe('ResultContent', () => {
  it('shows every kind of block in the order they came', () => {
    const { container } = show([
      { type: 'text', text: 'first words' },
      { type: 'image', mimeType: 'image/png', data: PIXEL },
      { type: 'audio', mimeType: 'audio/wav', data: 'UklGRg==' },
      { type: 'resource_link', uri: 'https://example.com/a', name: 'a link' },
      { type: 'resource', resource: { uri: 'file:///tmp/note.txt', mimeType: 'text/plain', text: 'embedded words' } },
      { type: 'resource', resource: { uri: 'blob://x/data', blob: 'AAEC' } },
    ]);
    const texts = [...container.querySelectorAll('li')].map((item) => item.textContent);
    expect(texts[0]).toContain('first words');
    expect(texts[1]).toContain('image/png');
    expect(texts[2]).toContain('audio/wav');
    expect(texts[3]).toContain('a link');
    expect(texts[4]).toContain('embedded words');
    expect(texts[5]).toContain('3 B');
  });

  it.each([
    ['an unknown kind', { type: 'video', data: 'x' }, /kind that is not known here/],
    ['a link without an address', { type: 'resource_link', name: 'x' }, /it has no address/],
    ['a resource without an address', { type: 'resource', resource: { text: 'x' } }, /it has no address/],
    ['data that is no base64', { type: 'image', mimeType: 'image/png', data: '!!!' }, /no base64/],
    ['a text that is null', { type: 'text', text: null }, /its text is no text/],
    ['a block that is a string', 'stray', /it is no object/],
  ])('%s keeps its neighbours', (_name, block, sentence) => {
    show([{ type: 'text', text: 'keep me' }, block, { type: 'text', text: 'and me' }]);
    expect(screen.getByText('keep me')).toBeTruthy();
    expect(screen.getByText('and me')).toBeTruthy();
    expect(screen.getByText(sentence)).toBeTruthy();
  });

  it('says so where content is null or no list', () => {
    show(null);
    expect(screen.getByText(/The content of the answer is no list/)).toBeTruthy();
    cleanup();
    render(<ResultContent result={{}} />);
    expect(screen.getByText('The answer has no content.')).toBeTruthy();
  });

  it('never draws SVG, nor fetches an image from elsewhere', () => {
    const { container } = show([
      { type: 'image', mimeType: 'image/svg+xml', data: btoa('<svg onload="alert(1)"/>') },
      { type: 'image', mimeType: 'text/html', data: btoa('<script>alert(1)</script>') },
      { type: 'image', mimeType: 'image/png', data: 'https://example.com/x.png' },
      { type: 'resource', resource: { uri: 'x:y', mimeType: 'image/svg+xml', blob: btoa('<svg/>') } },
    ]);
    expect(container.querySelector('img, svg[onload], script, iframe, object, embed')).toBeNull();
    expect(screen.getAllByText(/not drawn here/).length).toBe(3);
  });

  it('offers no link but to http and https', () => {
    const { container } = show(
      ['javascript:alert(1)', 'data:text/html,x', 'file:///etc/passwd', 'vbscript:x', ' java\nscript:x', 'https://u:p@example.com/'].map((uri) => ({ type: 'resource_link', uri })),
    );
    expect(container.querySelector('a')).toBeNull();
    expect(container.textContent).toContain('javascript:alert(1)');
    cleanup();
    show([{ type: 'resource_link', uri: 'https://example.com/x' }]);
    expect(screen.getByRole('link').getAttribute('rel')).toContain('noreferrer');
  });

  it('writes out what cannot be seen', () => {
    show([{ type: 'text', text: 'a\u202Eb\u001B[2J' }]);
    expect(screen.getByText('a<U+202E>b<U+001B>[2J')).toBeTruthy();
  });

  it('shows the first part of a long text and the whole when asked', () => {
    const { container } = show([{ type: 'text', text: `${'a'.repeat(200_000)}END` }]);
    expect(container.querySelector('pre')!.textContent).not.toContain('END');
    expect(screen.getByText(/the first 16.0 KiB shown/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Show all' }));
    expect(container.querySelector('pre')!.textContent).toContain('END');
  });

  it('notes structured content that does not fit the stated schema, and shows it all the same', () => {
    const outputSchema = { type: 'object', required: ['size'], properties: { size: { type: 'integer' } } };
    const { container } = render(<ResultContent result={{ content: [], structuredContent: { size: 'big' } }} outputSchema={outputSchema} />);
    expect(screen.getByText(/does not fit the output schema.*\/size/)).toBeTruthy();
    expect(container.textContent).toContain('big');
    cleanup();
    render(<ResultContent result={{ content: [], structuredContent: { size: 1 } }} outputSchema={outputSchema} />);
    expect(screen.queryByText(/output schema/)).toBeNull();
  });

  it('folds the text that repeats the structured content', () => {
    render(<ResultContent result={{ content: [{ type: 'text', text: '{ "a": 1 }' }], structuredContent: { a: 1 } }} />);
    expect(screen.getByText(/says the same as the structured content/)).toBeTruthy();
  });

  it('names an isError that is no truth value', () => {
    show([{ type: 'text', text: 'it failed' }], { isError: 'true' });
    expect(screen.getByText(/isError as "true"/)).toBeTruthy();
    expect(screen.getByText('it failed')).toBeTruthy();
  });
});

describe('resources and prompts', () => {
  it('show their parts and who says them', () => {
    render(<ResourceContent result={{ contents: [{ uri: 'a://b', text: 'words of a resource' }] }} />);
    expect(screen.getByText('words of a resource')).toBeTruthy();
    render(<PromptContent result={{ messages: [{ role: 'user', content: { type: 'text', text: 'please look' } }, 'odd'] }} />);
    expect(screen.getByText('please look')).toBeTruthy();
    expect(screen.getByText('user')).toBeTruthy();
  });
});

describe('parts', () => {
  it('read any JSON as a block without throwing', () => {
    fc.assert(fc.property(fc.jsonValue(), fc.constantFrom('text', 'image', 'resource', 'resource_link', 'audio'), (value, type) => {
      expect(readBlock(value).kind).toBeTruthy();
      expect(readBlock({ type, text: value, data: value, resource: value, uri: value }).kind).toBeTruthy();
    }));
  });

  it('take base64 of both alphabets, padded or not', async () => {
    expect(readBase64('_-8')).toEqual({ letters: '/+8=', sizeBytes: 2 });
    expect(readBase64('AAE\n=')).toEqual({ letters: 'AAE=', sizeBytes: 2 });
    expect(readBase64('A')).toBeNull();
    const bytes = fc.uint8Array({ maxLength: 200 });
    await fc.assert(fc.asyncProperty(bytes, async (array) => {
      const read = readBase64(btoa(String.fromCharCode(...array)))!;
      expect(read.sizeBytes).toBe(array.length);
      expect(new Uint8Array(await toBlob(read, 'x/y').arrayBuffer())).toEqual(array);
    }), { numRuns: 20 });
  });

  it('make names that are safe to have on a disk', () => {
    expect(toSafeName('file:///../../etc/passwd', null)).toBe('passwd.bin');
    expect(toSafeName('a:///.bashrc', null)).toBe('bashrc.bin');
    expect(toSafeName('x://y/con.txt', null)).toBe('resource.bin');
    expect(toSafeName('x://y/a\u202Egnp.exe?x=1', 'image/png')).toBe('a_gnp.exe');
    expect(toSafeName('', 'application/json')).toBe('resource.json');
    fc.assert(fc.property(fc.string(), (address) => {
      expect(toSafeName(address, null)).toMatch(/^[A-Za-z0-9][A-Za-z0-9._-]{0,90}$/);
    }));
    expect(toFollowable('HTTPS://example.com')).toBe('https://example.com/');
  });
});
