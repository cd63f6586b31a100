// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { JsonObject } from '@/lib/core';
import { ArgumentForm } from './argument-form';
import { GALLERY } from './gallery';

afterEach(cleanup);

interface Opened {
  readonly sent: () => unknown;
  readonly sendings: () => number;
  readonly json: () => string;
}

async function openForm(schema: unknown, options: { initialText?: string; chooseFile?: (file: File) => Promise<string> } = {}): Promise<Opened> {
  const onSubmit = vi.fn<(value: JsonObject) => void>();
  render(
    <ArgumentForm schema={schema} initialText={options.initialText} chooseFile={options.chooseFile ?? null} submitLabel="Call" pending={false} onSubmit={onSubmit} />,
  );
  await waitFor(() => expect(screen.queryByRole('status', { name: /Loading/ })).toBeNull(), { timeout: 15_000 });
  const raw = screen.getByLabelText<HTMLTextAreaElement>('Arguments as JSON');
  return { sent: () => onSubmit.mock.lastCall?.[0], sendings: () => onSubmit.mock.calls.length, json: () => raw.value };
}

const write = (label: string | RegExp, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const writeRaw = (text: string) => write('Arguments as JSON', text);
const choose = (label: string | RegExp, option: string) => {
  const select = screen.getByLabelText<HTMLSelectElement>(label);
  const chosen = within(select).getByRole<HTMLOptionElement>('option', { name: option });
  fireEvent.change(select, { target: { value: chosen.value } });
};
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));
const call = () => press('Call');

describe('what an untouched form sends', () => {
  it.each(Object.entries(GALLERY).filter(([, tool]) => tool.untouched !== undefined))('%s: only what must be', async (_name, tool) => {
    const form = await openForm(tool.schema);
    call();
    expect(form.sent()).toEqual(tool.untouched);
    expect(JSON.parse(form.json())).toEqual(tool.untouched);
  });

  it.each(Object.entries(GALLERY))('%s: shows and sends a whole value, byte for byte in its members', async (_name, tool) => {
    const text = JSON.stringify(tool.sample, null, 2);
    const form = await openForm(tool.schema, { initialText: text });
    call();
    expect(JSON.stringify(form.sent())).toBe(JSON.stringify(tool.sample));
    expect(form.json()).toBe(text);
  });
});

describe('each kind of field', () => {
  it('sends 0, false and the largest exact integers as they are', async () => {
    const form = await openForm(GALLERY.scalars.schema);
    write(/^count/, '0');
    choose(/^flag/, 'false');
    write(/^big/, '9007199254740991');
    call();
    expect(form.sent()).toEqual({ count: 0, flag: false, big: 9007199254740991 });
  });

  it('never rounds a number that it cannot send exactly', async () => {
    const form = await openForm(GALLERY.scalars.schema);
    write(/^big/, '12345678901234567890');
    call();
    expect(form.sendings()).toBe(0);
    expect(screen.getAllByText(/too large to be sent exactly/).length).toBeGreaterThan(0);
  });

  it('shows defaults and does not send them', async () => {
    const form = await openForm(GALLERY.defaults.schema);
    expect(screen.getByText(/the server takes 25/)).toBeTruthy();
    write(/^limit/, '25');
    call();
    expect(form.sent()).toEqual({ limit: 25 });
    write(/^limit/, '');
    call();
    expect(form.sent()).toEqual({});
  });

  it('sets null only where null is allowed, and takes it back', async () => {
    const form = await openForm(GALLERY.nullable.schema);
    expect(screen.queryByRole('button', { name: 'Set plain to null' })).toBeNull();
    write(/^note/, 'text first');
    press('Set note to null');
    press('Set flipped to null');
    call();
    expect(form.sent()).toEqual({ note: null, flipped: null });
    press('Leave note out');
    press('Leave flipped out');
    write(/^flipped/, 'text');
    call();
    expect(form.sent()).toEqual({ flipped: 'text' });
  });

  it('fills nested arrays row by row', async () => {
    const form = await openForm(GALLERY.nestedArrays.schema);
    press('Add to rows');
    press(/^Add to rows-1/);
    press(/^Add to rows-1/);
    const cells = screen.getAllByLabelText(/^rows-1-\d/);
    fireEvent.change(cells[1]!, { target: { value: '2.5' } });
    fireEvent.change(screen.getAllByLabelText(/^rows-1-\d/)[0]!, { target: { value: '1' } });
    call();
    expect(form.sent()).toEqual({ rows: [[1, 2.5]] });
  });

  it('keeps an added text that stays empty, and asks for a number that does not', async () => {
    const form = await openForm({ type: 'object', properties: { words: { type: 'array', items: { type: 'string' } }, sizes: { type: 'array', items: { type: 'integer' } } } });
    press('Add to words');
    call();
    expect(form.sent()).toEqual({ words: [''] });
    press('Add to sizes');
    call();
    expect(form.sendings()).toBe(1);
    expect(screen.getAllByText(/an integer is wanted/).length).toBeGreaterThan(0);
  });

  it('chooses between the forms of a union and fills in the constant that marks one', async () => {
    const form = await openForm(GALLERY.union.schema);
    choose(/which form/, 'kind: square');
    write(/^side/, '3');
    call();
    expect(form.sent()).toEqual({ shape: { kind: 'square', side: 3 } });
    choose(/which form/, 'kind: circle');
    write(/^radius/, '4');
    call();
    expect(form.sent()).toEqual({ shape: { kind: 'circle', radius: 4 } });
  });

  it('offers the forms of a union at the root', async () => {
    const form = await openForm(GALLERY.rootUnion.schema);
    choose('Form', 'with url');
    write(/^url/, 'https://example.com');
    call();
    expect(form.sent()).toEqual({ url: 'https://example.com' });
  });

  it('grows a recursive value one level at a time', async () => {
    const form = await openForm(GALLERY.recursive.schema);
    fireEvent.change(screen.getAllByLabelText(/^name/)[0]!, { target: { value: 'root' } });
    fireEvent.click(screen.getAllByRole('button', { name: 'Add to children' })[0]!);
    const item = screen.getByRole('group', { name: /^children-1/ });
    fireEvent.change(within(item).getAllByLabelText(/^name/)[0]!, { target: { value: 'leaf' } });
    call();
    expect(form.sent()).toEqual({ tree: { name: 'root', children: [{ name: 'leaf' }] } });
  });

  it('adds fields of any name where they are allowed', async () => {
    const form = await openForm(GALLERY.openObject.schema);
    press(/^Add a field to headers/);
    fireEvent.blur(screen.getByLabelText('Name of the field'), { target: { value: 'accept' } });
    await waitFor(() => expect(form.json()).toContain('accept'));
    fireEvent.change(screen.getByLabelText(/^accept/), { target: { value: 'text/plain' } });
    call();
    expect(form.sent()).toEqual({ headers: { accept: 'text/plain' } });
  });

  it('takes any JSON where the schema says nothing, and text for what is not JSON', async () => {
    const form = await openForm(GALLERY.anything.schema);
    write(/^value/, '{"a": [1, null]}');
    call();
    expect(form.sent()).toEqual({ value: { a: [1, null] } });
    write(/^value/, 'plain words');
    call();
    expect(form.sent()).toEqual({ value: 'plain words' });
  });

  it('puts the path of a chosen file into a path field', async () => {
    const chooseFile = vi.fn(() => Promise.resolve('/jobs/console/a.bin'));
    const form = await openForm({ type: 'object', properties: { path: { type: 'string' }, query: { type: 'string' } } }, { chooseFile });
    const file = new File(['abc'], 'a.bin');
    fireEvent.change(screen.getByLabelText('File for path'), { target: { files: [file] } });
    await waitFor(() => expect(form.json()).toContain('/jobs/console/a.bin'));
    call();
    expect(chooseFile).toHaveBeenCalledWith(file);
    expect(form.sent()).toEqual({ path: '/jobs/console/a.bin' });
    expect(screen.queryByLabelText('File for query')).toBeNull();
  });
});

describe('the form and the JSON beside it', () => {
  it('follow each other, and keep what the schema does not name', async () => {
    const form = await openForm(GALLERY.scalars.schema);
    writeRaw('{"count": 3, "unheard": {"of": [1, 2]}}');
    expect(screen.getByLabelText<HTMLInputElement>(/^count/).value).toBe('3');
    write(/^text/, 'more');
    expect(JSON.parse(form.json())).toEqual({ count: 3, unheard: { of: [1, 2] }, text: 'more' });
    expect(screen.getByText(/^Also sent.*unheard/)).toBeTruthy();
  });

  it.each([
    ['{"count": 1,\n  "text": "cut', 'Line 2, column 11', /cut off/],
    ['{"count": 1, "count": 2}', 'Line 1, column 14', /second time/],
    ['{"big": 12345678901234567890}', 'Line 1, column 9', /cannot be sent exactly/],
    ['[1]', 'Line 1, column 1', /object/],
    ['{"a": 1,}', 'Line 1, column', /wanted/],
  ])('says where %s is wrong and sends nothing', async (text, place, sentence) => {
    const form = await openForm(GALLERY.scalars.schema);
    writeRaw(text);
    expect(screen.getByText(new RegExp(place))).toBeTruthy();
    expect(screen.getByText(sentence)).toBeTruthy();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Call' }).disabled).toBe(true);
    expect(form.sendings()).toBe(0);
    expect(form.json()).toBe(text);
  });

  it('sends what does not fit only when asked a second time', async () => {
    const form = await openForm(GALLERY.required.schema);
    call();
    expect(form.sendings()).toBe(0);
    expect(screen.getAllByText(/This is required/).length).toBeGreaterThan(0);
    press('Send it all the same');
    expect(form.sent()).toEqual({});
  });
});

describe('hostile schemas', () => {
  const deep = (): unknown => {
    let schema: unknown = { type: 'string' };
    for (let level = 0; level < 10_000; level++) schema = { type: 'object', properties: { a: schema } };
    return schema;
  };
  const fanOut = (): unknown => {
    const $defs: Record<string, unknown> = { d30: { type: 'string' } };
    for (let level = 0; level < 30; level++) {
      $defs[`d${level}`] = { type: 'object', properties: { a: { $ref: `#/$defs/d${level + 1}` }, b: { $ref: `#/$defs/d${level + 1}` } } };
    }
    return { type: 'object', properties: { x: { $ref: '#/$defs/d0' } }, $defs };
  };
  it.each([
    ['an allOf cycle', { type: 'object', properties: { a: { $ref: '#/$defs/A' } }, $defs: { A: { allOf: [{ $ref: '#/$defs/B' }] }, B: { allOf: [{ $ref: '#/$defs/A' }] } } }],
    ['a reference to itself', { type: 'object', properties: { a: { $ref: '#/properties/a' } } }],
    ['a reference that leads nowhere', { type: 'object', properties: { a: { $ref: '#/$defs/none' } } }],
    ['ten thousand levels', deep()],
    ['references that fan out', fanOut()],
    ['no object at all', { type: 'string' }],
  ])('%s: the raw JSON stands with a sentence and still sends', async (_name, schema) => {
    const form = await openForm(schema);
    expect(screen.getByText(/No form can be made/)).toBeTruthy();
    writeRaw('{"a": {"b": 1}}');
    call();
    if (form.sendings() === 0) press('Send it all the same');
    expect(form.sent()).toEqual({ a: { b: 1 } });
  });

  it('leaves patterns that could freeze the page, or that are none, to the server', async () => {
    const form = await openForm({ type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'string', pattern: '([' } } });
    write(/^a/, `${'a'.repeat(40)}!`);
    write(/^b/, 'x');
    call();
    expect(form.sent()).toEqual({ a: `${'a'.repeat(40)}!`, b: 'x' });
  });
});
