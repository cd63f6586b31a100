// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import { JsonViewer } from './json-viewer';
import { BRANCH_STEP, listFirstOpen, toJsonLines } from './json-viewer-lines';

const CLOSED = { toggled: new Map(), shown: new Map() };

afterEach(cleanup);

describe('the lines of a tree', () => {
  test('a small value is open throughout', () => {
    const value = { a: [1, 'two'], b: null };
    const lines = toJsonLines(value, listFirstOpen(value), CLOSED);
    expect(lines.map((line) => `${'  '.repeat(line.depth)}${line.name ?? ''} ${line.text}`)).toEqual([
      ' {2 members}', '  a [2 items]', '    0 1', '    1 two', '  b null',
    ]);
  });

  test('a long list shows its first part and how many follow', () => {
    const value = Array.from({ length: BRANCH_STEP + 7 }, (_, index) => index);
    const lines = toJsonLines(value, new Set(['']), CLOSED);
    expect(lines).toHaveLength(BRANCH_STEP + 2);
    expect(lines.at(-1)).toMatchObject({ kind: 'more', text: '7 more' });
  });

  test('a value nested a hundred thousand deep is neither refused nor opened', () => {
    let value: unknown = 'bottom';
    for (let depth = 0; depth < 100_000; depth += 1) value = [value];
    expect(toJsonLines(value, listFirstOpen(value), CLOSED).length).toBeLessThan(1000);
  });

  test('ids never repeat, whatever the names', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const ids = toJsonLines(value, listFirstOpen(value), CLOSED).map((line) => line.id);
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });
});

describe('the viewer', () => {
  const value = { name: 'invoice.zip', members: [{ path: 'a\u202Eexe' }] };

  test('shows hidden characters of a stranger’s text', () => {
    render(<JsonViewer value={value} label="the arguments" />);
    expect(screen.getByRole('tree', { name: 'the arguments' }).textContent).toContain('a<U+202E>exe');
  });

  test('is walked and closed from the keyboard', () => {
    render(<JsonViewer value={value} label="the arguments" />);
    const tree = screen.getByRole('tree');
    const active = () => document.getElementById(tree.getAttribute('aria-activedescendant') ?? '')?.textContent ?? '';
    expect(active()).toContain('{2 members}');
    fireEvent.keyDown(tree, { key: 'ArrowDown' });
    expect(active()).toContain('invoice.zip');
    fireEvent.keyDown(tree, { key: 'ArrowDown' });
    fireEvent.keyDown(tree, { key: 'ArrowLeft' });
    expect(tree.textContent).not.toContain('path');
    fireEvent.keyDown(tree, { key: 'ArrowRight' });
    expect(tree.textContent).toContain('path');
    fireEvent.keyDown(tree, { key: 'End' });
    expect(active()).toContain('a<U+202E>exe');
  });

  test('draws the first part of a large value until the tree is asked for', () => {
    const large = { texts: Array.from({ length: 400 }, () => 'x'.repeat(1000)) };
    render(<JsonViewer value={large} label="the result" />);
    expect(screen.queryByRole('tree')).toBeNull();
    expect(screen.getByText(/^The first 4.0 KiB of/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Show as a tree' }));
    expect(screen.getByRole('tree', { name: 'the result' })).toBeTruthy();
  });
});
