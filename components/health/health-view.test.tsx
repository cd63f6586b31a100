// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import { NuqsTestingAdapter, type OnUrlUpdateFunction } from 'nuqs/adapters/testing';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { HealthRow } from '@/lib/health';
import { HealthView } from './health-view';
import { sortRows } from './health-sort';
import type { ActOnServers } from './action';

vi.mock('@/lib/live/client', () => ({ useLive: () => undefined }));

const ROW: HealthRow = {
  key: 'files', label: 'files', tags: ['local'], enabled: true, fromFile: false, transport: 'stdio',
  state: { name: 'idle', since: 1, facts: { transport: 'stdio', era: 'modern', protocolVersion: '2026-07-28', serverInfo: null, instructions: null, processId: 1, connectedAt: 1 } },
  since: Date.now() - 3_600_000, lastFailure: null, lastAskedAt: 1, latencyMs: 12, latency: [{ at: Date.now() - 3_600_000, meanMs: 12, maxMs: 20, unanswered: 0 }],
  calls: { ended: 250, failed: 1, unknown: 2 }, rests: 0, load: { inFlight: 1, queued: 2 }, connections: 1,
  process: { processId: 4711, residentBytes: 64 * 1024 * 1024, processes: 2, startedAt: 1 },
};
const failure = { stage: 'spawn', code: 'program_missing', message: 'npx is not there.', remediation: 'Install Node.', evidence: {} } as const;
const FAILING: HealthRow = {
  ...ROW, key: 'broken', transport: 'http', state: { name: 'failing', failure, since: 1, attempt: 2, nextTryAt: null }, process: null, latencyMs: null, connections: 0,
  lastFailure: { at: Date.now() - 60_000, code: 'program_missing', message: 'npx is not\u202E there.', remediation: 'Install Node.' }, calls: { ended: 0, failed: 0, unknown: 0 },
};

let url = '';
const onUrlUpdate: OnUrlUpdateFunction = ({ queryString }) => void (url = queryString);

beforeEach(() => {
  url = '';
  vi.stubGlobal('fetch', vi.fn(() => new Promise(() => undefined)));
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

function show(rows: readonly HealthRow[], { manages = true, act = vi.fn() as ActOnServers, search = '' } = {}) {
  render(
    <QueryClientProvider client={new QueryClient()}>
      <NuqsTestingAdapter searchParams={search} onUrlUpdate={onUrlUpdate} hasMemory>
        <HealthView initial={rows} manages={manages} act={act} />
      </NuqsTestingAdapter>
    </QueryClientProvider>,
  );
  return act;
}

const table = () => within(screen.getByRole('table', { name: 'Health of the servers' }));
const keysShown = () => table().getAllByRole('link').map((link) => link.textContent).filter((text) => ['files', 'broken'].includes(text));

describe('the health page', () => {
  it('shows of each server what an admin needs to see', () => {
    show([ROW, FAILING]);
    const [, broken, files] = table().getAllByRole('row');
    expect(files?.textContent).toMatch(/files.*idle.*12 ms.*0\.4 % failed.*of 250, 2 not known.*0.*2 queued, 1 in flight.*1.*64.*MiB in 2 processes.*4711/s);
    expect(broken?.textContent).toMatch(/broken.*failing.*npx is not<U\+202E> there\..*Do this: Install Node\..*no calls/s);
    expect(within(files as HTMLElement).getByRole('img').getAttribute('aria-label')).toBe(
      'Latency over the last day: 12 ms to 12 ms on average, 20 ms at most; no check without an answer.',
    );
  });

  it('is sorted by what needs attention first, and by any column that is pressed; the address has it', async () => {
    show([ROW, FAILING]);
    expect(keysShown()).toEqual(['broken', 'files']);
    fireEvent.click(table().getByRole('button', { name: /^Server/ }));
    await waitFor(() => expect(url).toBe('?sort=server'));
    fireEvent.click(table().getByRole('button', { name: /^Server/ }));
    await waitFor(() => expect(keysShown()).toEqual(['files', 'broken']));
    expect(url).toContain('dir=down');
    expect(table().getByRole('columnheader', { name: /^Server/ }).getAttribute('aria-sort')).toBe('descending');
  });

  it('is narrowed by the filter of the address, and says what hides the rest', () => {
    show([ROW, FAILING], { search: '?state=resting' });
    expect(screen.queryByRole('table')).toBeNull();
    expect(screen.getByText(/Hidden by state resting/)).toBeTruthy();
  });

  it('acts on those that are selected, and tells what became of each', async () => {
    const act = vi.fn<ActOnServers>(() =>
      Promise.resolve({
        ok: true as const,
        data: {
          results: [
            { key: 'broken', ok: false, message: 'It is disabled.', remedy: 'Enable it first.', testId: null },
            { key: 'files', ok: true, message: 'Its connection was closed and is being opened anew.', remedy: null, testId: null },
          ],
        },
      }),
    );
    show([ROW, FAILING], { act });
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Restart' }).disabled).toBe(true);
    fireEvent.click(table().getByRole('checkbox', { name: 'Select all that are shown' }));
    fireEvent.click(screen.getByRole('button', { name: 'Restart' }));
    await waitFor(() => expect(act).toHaveBeenCalledWith({ keys: ['broken', 'files'], act: 'restart', restMinutes: 10 }));
    const told = within(await screen.findByRole('region', { name: 'What became of it' })).getAllByRole('listitem');
    expect(told.map((item) => item.textContent)).toEqual([
      expect.stringMatching(/broken.*not done.*It is disabled\..*Do this: Enable it first\./),
      expect.stringMatching(/files.*done.*being opened anew\./),
    ]);
  });

  it('asks before it disables, and offers nothing to those who may not act', async () => {
    const act = show([ROW]);
    fireEvent.click(table().getByRole('checkbox', { name: 'Select files' }));
    fireEvent.click(screen.getByRole('button', { name: 'Disable…' }));
    expect(await screen.findByRole('dialog', { name: 'Disable files?' })).toBeTruthy();
    expect(act).not.toHaveBeenCalled();
    cleanup();
    show([ROW], { manages: false });
    expect(screen.queryByRole('checkbox')).toBeNull();
    expect(screen.queryByRole('button', { name: 'Restart' })).toBeNull();
    expect(screen.getByText(/An operator can test/)).toBeTruthy();
  });

  it('says what it is for where there is no server, and that it is stale where it cannot be read', async () => {
    show([]);
    expect(screen.getByRole('heading', { name: 'No server is configured yet' })).toBeTruthy();
    cleanup();
    vi.useFakeTimers({ shouldAdvanceTime: true });
    vi.stubGlobal('fetch', vi.fn(() => Promise.resolve(Response.json({ message: 'The data file is locked.' }, { status: 503 }))));
    show([ROW]);
    await vi.advanceTimersByTimeAsync(12_000);
    expect(await screen.findByText(/could not be read again: The data file is locked\./)).toBeTruthy();
    vi.useRealTimers();
  });
});

it('sorts what has no value last, whichever way', () => {
  const rows = [{ ...ROW, key: 'a', latencyMs: null }, { ...ROW, key: 'b', latencyMs: 5 }, { ...ROW, key: 'c', latencyMs: 50 }];
  expect(sortRows(rows, 'latency', 'up').map(({ key }) => key)).toEqual(['b', 'c', 'a']);
  expect(sortRows(rows, 'latency', 'down').map(({ key }) => key)).toEqual(['c', 'b', 'a']);
});
