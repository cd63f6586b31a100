// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { NuqsTestingAdapter, type UrlUpdateEvent } from 'nuqs/adapters/testing';
import { afterEach, expect, test, vi } from 'vitest';
import type { StartCall } from '../action';
import type { ToolDetailView } from '../views';
import { CallPanel } from './call-panel';

const fetched = vi.hoisted(() => vi.fn());
vi.mock('../../ledger/fetch-ledger', () => ({ fetchLedgerEntry: fetched }));
vi.mock('@/lib/live/client', () => ({ useLive: () => undefined }));
vi.mock('../../ledger/entry/entry-detail', () => ({ EntryDetail: () => null }));

afterEach(() => {
  cleanup();
  fetched.mockReset();
});

const DETAIL: ToolDetailView = {
  tool: {
    name: 'wait', exposedName: null, exposed: true, plumbing: false, available: true, reason: null, remediation: null, without: null,
    annotations: {}, risk: 'not stated', openWorld: null, setAside: null, timeoutS: null, longRunning: false, verifyWith: [],
  },
  title: null, description: null, pin: 'same', hash: null, findings: 0,
  inputSchema: { type: 'object' }, outputSchema: null, raw: {}, allFindings: [],
};

const runningCallOf = (serverKey: string, tool: string) =>
  fetched.mockImplementation(async (sequence: number) => ({
    sequence, serverKey, tool, entryId: 'ev_0001', outcome: 'sent', sentAt: 1, requestedAt: 1, finishedAt: null, progress: [], result: null, error: null,
  }));

function show(search: string, rights = { manage: true, call: true }, startCall: StartCall = vi.fn()) {
  const updates: UrlUpdateEvent[] = [];
  render(
    <NuqsTestingAdapter searchParams={search} hasMemory onUrlUpdate={(update) => updates.push(update)}>
      <QueryClientProvider client={new QueryClient()}>
        <CallPanel
          serverKey="files" detail={DETAIL} local rights={rights} seesContents initialText={undefined} startCall={startCall} cancelCall={vi.fn()}
        />
      </QueryClientProvider>
    </NuqsTestingAdapter>,
  );
  return updates;
}

test('a call that is started stands in the address, in place of the last, and is followed', async () => {
  runningCallOf('files', 'wait');
  const updates = show('?tool=wait', undefined, () => Promise.resolve({ ok: true, data: { sequence: 7 } }));
  fireEvent.click(screen.getByRole('button', { name: 'Call wait' }));
  await screen.findByRole('link', { name: /ev_0001/ }, { timeout: 10_000 });
  expect(updates.at(-1)?.searchParams.toString()).toBe('tool=wait&call=7');
  expect(updates.at(-1)?.options).toMatchObject({ history: 'replace', shallow: true });
});

test('coming back attaches to the running call, which only those who may call can cancel', async () => {
  runningCallOf('files', 'wait');
  show('?tool=wait&call=7');
  expect(await screen.findByRole('button', { name: 'Cancel the call' })).toBeTruthy();
  cleanup();
  show('?tool=wait&call=7', { manage: false, call: false });
  expect(await screen.findByRole('link', { name: /ev_0001/ })).toBeTruthy();
  expect(screen.queryByRole('button', { name: 'Cancel the call' })).toBeNull();
});

test.each([['other', 'wait'], ['files', 'other']])('a call of %s and %s is not shown as this one', async (serverKey, tool) => {
  runningCallOf(serverKey, tool);
  show('?tool=wait&call=7');
  await waitFor(() => expect(screen.queryByRole('status', { name: 'Loading the call' })).toBeNull());
  expect(fetched).toHaveBeenCalledWith(7, expect.anything());
  expect(screen.queryByRole('link', { name: /ev_0001/ })).toBeNull();
});
