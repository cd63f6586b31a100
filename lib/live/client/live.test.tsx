// @vitest-environment happy-dom
import { act, cleanup, render } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { callIds, runIds } from '@/lib/core';
import type { LedgerRow } from '@/lib/ledger';
import { toServerKey } from '@/lib/servers';
import type { LiveMessage } from '..';
import { LiveProvider, useLive, useLiveStatus } from '.';

class FakeEventSource {
  static readonly opened: FakeEventSource[] = [];
  onmessage: ((event: { data: string }) => void) | null = null;
  onerror: (() => void) | null = null;
  closed = false;

  constructor(readonly url: string) {
    FakeEventSource.opened.push(this);
  }

  close(): void {
    this.closed = true;
  }

  send(message: LiveMessage): void {
    act(() => this.onmessage?.({ data: JSON.stringify(message) }));
  }

  fail(): void {
    act(() => this.onerror?.());
  }
}

const newest = (): FakeEventSource => {
  const source = FakeEventSource.opened.at(-1);
  if (source === undefined) throw new Error('nothing was opened');
  return source;
};

const pass = (ms: number): void => {
  act(() => {
    vi.advanceTimersByTime(ms);
  });
};

const row: LedgerRow = {
  sequence: 1, entryId: 'ev_0001', callId: callIds.create(), runId: runIds.create(), step: null, actorKind: 'person', actorName: 'ana', serverKey: toServerKey('fs'),
  tool: 'read', exposedName: null, plumbing: false, outcome: 'ok', requestedAt: 1, queuedAt: null, sentAt: 1, finishedAt: 1, attempts: 1,
  errorCode: null, errorMessage: null, resultBytes: null,
};
const rowAt = (cursor: number): LiveMessage => ({ type: 'ledger.row', cursor, row });

function Rows({ seen, after, onMissed }: { readonly seen: number[]; readonly after?: number; readonly onMissed?: () => void }) {
  useLive('ledger.row', ({ cursor }) => seen.push(cursor), { after, onMissed });
  return <p>{useLiveStatus()}</p>;
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('EventSource', FakeEventSource);
  FakeEventSource.opened.length = 0;
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the live stream in the browser', () => {
  it('is one for the whole tab and gives each listener its messages', () => {
    const seen: number[][] = [[], []];
    const view = render(
      <LiveProvider after={4}>
        <Rows seen={seen[0]!} />
        <Rows seen={seen[1]!} />
      </LiveProvider>,
    );
    expect(FakeEventSource.opened.map(({ url }) => url)).toEqual(['/api/live?after=4']);
    expect(view.container.textContent).toBe('connectingconnecting');
    newest().send(rowAt(5));
    newest().send({ type: 'servers.changed' });
    newest().send({ type: 'caught_up', cursor: 5 });
    expect(seen).toEqual([[5], [5]]);
    expect(view.container.textContent).toBe('livelive');
  });

  it('says that it is lost, comes back from the last cursor with growing waits, and is live when it caught up', () => {
    const seen: number[] = [];
    const view = render(<LiveProvider><Rows seen={seen} /></LiveProvider>);
    expect(newest().url).toBe('/api/live');
    newest().send({ type: 'caught_up', cursor: 7 });
    newest().send(rowAt(9));
    for (const waitMs of [500, 1000, 2000]) {
      const before = newest();
      before.fail();
      expect(before.closed).toBe(true);
      expect(view.container.textContent).toBe('lost');
      pass(waitMs / 2 - 1);
      expect(newest()).toBe(before);
      pass(waitMs / 2 + 1);
      expect(newest()).not.toBe(before);
      expect(newest().url).toBe('/api/live?after=9');
    }
    newest().send(rowAt(10));
    newest().send({ type: 'caught_up', cursor: 10 });
    expect(view.container.textContent).toBe('live');
    expect(seen).toEqual([9, 10]);
  });

  it('does not listen to a stream that it gave up', () => {
    const seen: number[] = [];
    render(<LiveProvider after={0}><Rows seen={seen} /></LiveProvider>);
    const old = newest();
    old.fail();
    old.send(rowAt(1));
    pass(1000);
    newest().send(rowAt(1));
    expect(seen).toEqual([1]);
  });

  it('gives a page that was read before it could listen what came meanwhile', () => {
    const late: number[] = [];
    const missed = vi.fn();
    const view = render(<LiveProvider after={2}><p /></LiveProvider>);
    for (const cursor of [3, 4, 5]) newest().send(rowAt(cursor));
    view.rerender(<LiveProvider after={2}><Rows seen={late} after={3} onMissed={missed} /></LiveProvider>);
    expect(late).toEqual([4, 5]);
    expect(missed).not.toHaveBeenCalled();
    view.rerender(<LiveProvider after={2}><Rows key="other" seen={[]} after={1} onMissed={missed} /></LiveProvider>);
    expect(missed).toHaveBeenCalledOnce();
  });

  it('leaves the stream while the tab is hidden, and comes back from where it was', () => {
    const seen: number[] = [];
    render(<LiveProvider after={0}><Rows seen={seen} /></LiveProvider>);
    newest().send(rowAt(1));
    const visibility = vi.spyOn(document, 'visibilityState', 'get').mockReturnValue('hidden');
    document.dispatchEvent(new Event('visibilitychange'));
    pass(10_000);
    expect(newest().closed).toBe(true);
    visibility.mockReturnValue('visible');
    document.dispatchEvent(new Event('visibilitychange'));
    expect(FakeEventSource.opened.map(({ url }) => url)).toEqual(['/api/live?after=0', '/api/live?after=1']);
    visibility.mockRestore();
  });

  it('is left when its provider goes', () => {
    const view = render(<LiveProvider><p /></LiveProvider>);
    view.unmount();
    expect(newest().closed).toBe(true);
  });
});
