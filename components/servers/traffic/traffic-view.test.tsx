// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act, cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LiveMessage } from '@/lib/live';
import { readShape, type Traffic, type WireConnection, type WireMessage } from '@/lib/pool';
import { TrafficView } from './traffic-view';

const live = vi.hoisted(() => ({ listeners: new Map<string, (message: unknown) => void>(), status: 'live' }));
vi.mock('@/lib/live/client', () => ({
  useLive: (type: string, listener: (message: unknown) => void) => live.listeners.set(type, listener),
  useLiveStatus: () => live.status,
}));

const CONNECTIONS: readonly WireConnection[] = [{ number: 1, purpose: 'test', firstMessage: 1, openedAt: 1_000, endedAt: null }];
const HIDDEN = 'tools/\u202Ellac';

function messageOf(number: number, direction: 'sent' | 'received', message: object): WireMessage {
  const text = JSON.stringify(message);
  return { ...readShape(text), number, connection: 1, direction, at: 1_000 + number * 7, sizeBytes: text.length, isCut: false, text };
}

const ASKED = messageOf(1, 'sent', { jsonrpc: '2.0', id: 1, method: 'initialize', params: { who: 'console' } });
const ANSWERED = messageOf(2, 'received', { jsonrpc: '2.0', id: 1, result: { serverInfo: 'the-server' } });
const WAITING = messageOf(3, 'sent', { jsonrpc: '2.0', id: 2, method: HIDDEN });

/** What the console keeps. */
let kept: WireMessage[];
const trafficOf = (rows: readonly WireMessage[]): Traffic => ({ since: 1, rows: rows.map(({ text: _text, ...row }) => row), connections: CONNECTIONS, more: false });

beforeEach(() => {
  kept = [ASKED, ANSWERED, WAITING];
  live.status = 'live';
  live.listeners.clear();
  // The test's browser lays nothing out; the list draws what it has room for.
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(600);
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(1200);
  vi.stubGlobal('fetch', (address: string) => {
    const search = new URL(address, 'http://x').searchParams;
    const after = Number(search.get('after') ?? 0);
    const rows = kept.filter(({ number }) => number > after).slice(0, Number(search.get('limit') ?? 500));
    return Promise.resolve(Response.json(search.get('texts') === '1' ? { ...trafficOf([]), rows } : trafficOf(rows)));
  });
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

function show(search = '', rows: readonly WireMessage[] = kept) {
  render(
    <NuqsTestingAdapter searchParams={search} hasMemory>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <TrafficView serverKey="one" initial={trafficOf(rows)} />
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  );
}

const lines = () => screen.getAllByRole('row').slice(1).map((row) => row.textContent);
const rowOf = (part: string) => {
  const row = screen.getAllByRole('row').find((each) => each.textContent.includes(part));
  if (row === undefined) throw new Error(`no row with ${part}`);
  return row;
};
const tell = (message: LiveMessage) => act(async () => {
  live.listeners.get(message.type)?.(message);
  await new Promise((resolve) => setTimeout(resolve, 20));
});
const press = (key: string) => fireEvent.keyDown(document.body, { key });

describe('the traffic of a server', () => {
  it('shows each message with its connection, its partner and no hidden character', () => {
    show();
    const [connection, asked, answered, waiting] = lines();
    expect(connection).toContain('connection 1, test, opened');
    expect(asked).toMatch(/sent.*request.*initialize.*answered in 7 ms/);
    expect(answered).toMatch(/received.*result.*initialize.*after 7 ms/);
    expect(waiting).toMatch(/tools\/<U\+202E>llac.*no answer yet/);
  });

  it('opens a message with its text, and its partner with one key', async () => {
    show();
    fireEvent.click(rowOf('answered in'));
    const panel = await screen.findByRole('complementary');
    await waitFor(() => expect(panel.textContent).toContain('who'));
    expect(within(panel).getByRole('heading', { name: 'Its answer' })).toBeTruthy();
    await waitFor(() => expect(panel.textContent).toContain('the-server'));
    expect(rowOf('after 7 ms').textContent).toContain('belongs to what is chosen');
    press('o');
    await waitFor(() => expect(screen.getByRole('complementary').textContent).toContain('Its request'));
    press('Escape');
    await waitFor(() => expect(screen.queryByRole('complementary')).toBeNull());
  });

  it('is walked with j and k, and Enter opens the newest', async () => {
    show();
    press('Enter');
    await waitFor(() => expect(rowOf('no answer yet').getAttribute('aria-current')).toBe('true'));
    press('k');
    await waitFor(() => expect(rowOf('after 7 ms').getAttribute('aria-current')).toBe('true'));
    press('j');
    await waitFor(() => expect(rowOf('no answer yet').getAttribute('aria-current')).toBe('true'));
  });

  it('reads on when the live stream says that there is more', async () => {
    show();
    kept.push(messageOf(4, 'received', { jsonrpc: '2.0', id: 2, error: { code: -32_601, message: 'no' } }));
    await tell({ type: 'server.traffic', key: 'another' });
    expect(lines()).toHaveLength(4);
    await tell({ type: 'server.traffic', key: 'one' });
    await waitFor(() => expect(lines()).toHaveLength(5));
    expect(lines()[4]).toMatch(/error -32601.*after 7 ms/);
    expect(lines()[3]).toContain('answered in 7 ms');
  });

  it('stands still while it is paused, counts what waits, and keeps the texts that the console lets go', async () => {
    show();
    press('p');
    const pause = await screen.findByRole('button', { name: 'Resume' });
    expect(pause.getAttribute('aria-pressed')).toBe('true');
    await act(() => new Promise((resolve) => setTimeout(resolve, 20)));
    kept = [messageOf(4, 'sent', { jsonrpc: '2.0', method: 'a' }), messageOf(5, 'sent', { jsonrpc: '2.0', method: 'b' })];
    await tell({ type: 'server.traffic', key: 'one' });
    await screen.findByRole('button', { name: 'Resume, 2 new' });
    expect(lines()).toHaveLength(4);
    fireEvent.click(rowOf('answered in'));
    await waitFor(() => expect(screen.getByRole('complementary').textContent).toContain('console'));
    fireEvent.click(screen.getByRole('button', { name: 'Resume, 2 new' }));
    await waitFor(() => expect(lines()).toHaveLength(6));
  });

  it('is narrowed by what stands in the address, and says so where nothing is left', () => {
    show('direction=received');
    expect(lines()).toHaveLength(2);
    cleanup();
    show('unanswered=1');
    expect(lines().join()).toContain('no answer yet');
    expect(lines()).toHaveLength(2);
    cleanup();
    show('method=nowhere');
    expect(screen.getByText('No messages match what is set')).toBeTruthy();
  });

  it('copies all that is shown as JSON', async () => {
    const copied = vi.fn(() => Promise.resolve());
    vi.stubGlobal('isSecureContext', true);
    vi.spyOn(navigator.clipboard, 'writeText').mockImplementation(copied);
    show('direction=sent');
    fireEvent.click(screen.getByRole('button', { name: 'Copy all that is shown as JSON' }));
    await waitFor(() => expect(copied).toHaveBeenCalledOnce());
    const [text] = copied.mock.calls[0] as unknown as [string];
    expect(JSON.parse(text)).toMatchObject([{ number: 1, message: { method: 'initialize' } }, { number: 3 }]);
  });

  it('says what it is for while nothing has passed, that it is stale, and that it could not be read', async () => {
    kept = [];
    show('', []);
    expect(screen.getByText('Nothing has passed yet')).toBeTruthy();
    cleanup();
    live.status = 'lost';
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ message: 'This needs the role operator.' }, { status: 403 })));
    show('', [ASKED]);
    expect(screen.getByText(/The live stream is lost/)).toBeTruthy();
    await waitFor(() => expect(screen.getByText(/This needs the role operator/)).toBeTruthy());
    expect(lines()).toHaveLength(2);
  });
});
