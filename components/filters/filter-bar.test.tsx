// @vitest-environment happy-dom
import { cleanup, fireEvent, render, screen } from '@testing-library/react';
import { NuqsTestingAdapter, type UrlUpdateEvent } from 'nuqs/adapters/testing';
import { afterEach, expect, test, vi } from 'vitest';
import type { FilterDefinition } from './definition';
import { FilterBar } from './filter-bar';
import { FilteredEmpty } from './filtered-empty';
import { useFilterValues } from './use-filter-values';

const DEFINITIONS: readonly FilterDefinition[] = [
  { kind: 'choices', key: 'server', label: 'Server', options: [{ value: 'files', label: 'files' }, { value: 'remote', label: 'remote' }] },
  { kind: 'choices', key: 'outcome', label: 'Outcome', options: [{ value: 'ok', label: 'ok', meaning: 'good' }] },
  { kind: 'range', key: 'from', toKey: 'to', label: 'Time' },
  { kind: 'duration', key: 'min_ms', toKey: 'max_ms', label: 'Duration' },
  { kind: 'choices', key: 'tag', label: 'Tag', options: [] },
  { kind: 'toggle', key: 'plumbing', label: 'Plumbing', adds: true },
];

afterEach(cleanup);

function Bar() {
  const [values, setValues] = useFilterValues(DEFINITIONS);
  return (
    <>
      <FilterBar label="Filter the calls" definitions={DEFINITIONS} values={values} onChange={setValues} />
      <FilteredEmpty what="calls" definitions={DEFINITIONS} values={values} onChange={setValues} />
    </>
  );
}

function renderBar(searchParams: string) {
  const updates: UrlUpdateEvent[] = [];
  render(
    <NuqsTestingAdapter searchParams={searchParams} hasMemory onUrlUpdate={(update) => updates.push(update)}>
      <Bar />
    </NuqsTestingAdapter>,
  );
  return { latest: () => updates.at(-1)?.searchParams.toString() };
}

test('what is chosen is in the address, a key repeating for each value', async () => {
  const { latest } = renderBar('server=files');
  fireEvent.click(screen.getByRole('button', { name: /^Server/ }));
  fireEvent.click(screen.getByRole('checkbox', { name: 'remote' }));
  await vi.waitFor(() => expect(latest()).toBe('server=files&server=remote'));
});

test('each set value is a chip that clears it alone', async () => {
  const { latest } = renderBar('server=files&server=remote&plumbing=1');
  fireEvent.click(screen.getByRole('button', { name: 'Clear server files' }));
  await vi.waitFor(() => expect(latest()).toBe('server=remote&plumbing=1'));
  expect(screen.queryByRole('button', { name: 'Clear server files' })).toBeNull();
});

test('one press clears everything', async () => {
  const { latest } = renderBar('server=files&outcome=ok&from=2026-01-05T00:00:00Z');
  fireEvent.click(screen.getByRole('button', { name: 'Clear all' }));
  await vi.waitFor(() => expect(latest()).toBe(''));
});

test('an empty list names the filters that hide it, but not one that shows more', async () => {
  const { latest } = renderBar('server=files&outcome=ok&plumbing=1');
  expect(screen.getByText('Hidden by server files, outcome ok.')).toBeTruthy();
  fireEvent.click(screen.getByRole('button', { name: 'Without outcome ok' }));
  await vi.waitFor(() => expect(latest()).toBe('server=files&plumbing=1'));
});

test('a value that is none of the choices still shows and can be cleared', () => {
  renderBar('server=gone');
  expect(screen.getByRole('button', { name: 'Clear server gone' })).toBeTruthy();
});

test('what has nothing to choose from is not offered, unless something of it is set', () => {
  renderBar('');
  expect(screen.queryByRole('button', { name: 'Tag' })).toBeNull();
  cleanup();
  renderBar('tag=gone');
  expect(screen.getByRole('button', { name: /^Tag/ })).toBeTruthy();
});

test('a range has ends of its own kind, and what is often wanted of it', async () => {
  const { latest } = renderBar('');
  fireEvent.click(screen.getByRole('button', { name: 'Duration' }));
  fireEvent.change(screen.getByLabelText('At most, in ms'), { target: { value: '250' } });
  await vi.waitFor(() => expect(latest()).toBe('max_ms=250'));
  fireEvent.click(screen.getByRole('button', { name: 'Over 10 s' }));
  await vi.waitFor(() => expect(latest()).toBe('min_ms=10000'));
  fireEvent.click(screen.getByRole('button', { name: 'Time' }));
  fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-01-05T10:00:00' } });
  await vi.waitFor(() => expect(latest()).toContain('from=2026-01-05'));
});

test('Escape closes the choices and gives the focus back', () => {
  renderBar('');
  const button = screen.getByRole('button', { name: 'Server' });
  fireEvent.click(button);
  fireEvent.keyDown(screen.getByRole('checkbox', { name: 'files' }), { key: 'Escape' });
  expect(button.getAttribute('aria-expanded')).toBe('false');
  expect(document.activeElement).toBe(button);
});
