// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Tools } from './tools';

const push = vi.hoisted(() => vi.fn());
vi.mock('next/navigation', () => ({ useRouter: () => ({ push }) }));
vi.mock('@/lib/live/client', () => ({ useLiveStatus: () => 'live' }));

let answer: (response: Response) => void;

beforeEach(() => {
  vi.stubGlobal('fetch', () => new Promise<Response>((resolve) => (answer = resolve)));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  push.mockReset();
});

const renderTools = () =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <input aria-label="beneath" />
      <Tools theme="system" person={{ name: 'Ada', role: 'admin' }} signOut={() => Promise.resolve()} />
    </QueryClientProvider>,
  );

const pressShortcut = () => fireEvent.keyDown(document.activeElement ?? document.body, { key: 'k', ctrlKey: true });

test('the palette has the keyboard at once, before anything was loaded, and gives it back', async () => {
  renderTools();
  const beneath = screen.getByRole('textbox', { name: 'beneath' });
  beneath.focus();
  pressShortcut();
  // Nothing is awaited: the very next key is the palette's.
  const input = screen.getByRole('combobox', { name: 'A page, server or tool' });
  expect(document.activeElement).toBe(input);
  expect(screen.getByText('Looking among the servers…')).toBeTruthy();
  fireEvent.change(input, { target: { value: 'led' } });
  expect(screen.getAllByRole('option').map((option) => option.textContent)).toEqual([expect.stringContaining('Ledger')]);

  answer(Response.json({ servers: [{ key: 'led-lamp' }] }));
  await screen.findByRole('option', { name: /led-lamp/ });
  expect(input).toHaveProperty('value', 'led');
  fireEvent.keyDown(input, { key: 'Enter' });
  expect(push).toHaveBeenCalledWith('/ledger');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});

test('the shortcut closes it again, and so does a press beside it', () => {
  renderTools();
  pressShortcut();
  pressShortcut();
  expect(screen.queryByRole('dialog')).toBeNull();
  pressShortcut();
  fireEvent.click(screen.getByRole('option', { name: /Runs/ }));
  expect(push).toHaveBeenCalledWith('/runs');
  pressShortcut();
  fireEvent.click(screen.getByRole('dialog'));
  expect(screen.queryByRole('dialog')).toBeNull();
});
