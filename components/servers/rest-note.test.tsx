// @vitest-environment happy-dom
import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { LiveMessage } from '@/lib/live';
import type { ChangeRest } from './action';
import { LiveLoad } from './live-load';
import { RestNote } from './rest-note';

const live = vi.hoisted(() => ({ tell: (_message: LiveMessage): void => undefined }));
vi.mock('@/lib/live/client', () => ({
  useLive: (type: string, listener: (message: LiveMessage) => void) => {
    live.tell = (message) => {
      if (message.type === type) listener(message);
    };
  },
}));
const toast = vi.hoisted(() => vi.fn());
vi.mock('../ui/toast', () => ({ useToast: () => toast }));

afterEach(() => {
  cleanup();
  toast.mockReset();
});

const REASON = '3 calls in a row were not answered; the last one, slow, ran out of time.';
const note = (changeRest: ChangeRest | null, untilAt: number | null = Date.now() + 40_000) =>
  render(<RestNote reason={REASON} untilAt={untilAt} serverKey="files" changeRest={changeRest} />);

describe('the note of a server that rests', () => {
  it('says why, counts down, and lets one call through at a press', async () => {
    const changeRest = vi.fn<ChangeRest>(() => Promise.resolve({ ok: true, data: { changed: ['files'] } }));
    note(changeRest);
    expect(screen.getByText(REASON)).toBeTruthy();
    expect(screen.getByText(/in (39|40) s/)).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Let one call through now' }));
    await waitFor(() => expect(toast).toHaveBeenCalledWith(expect.objectContaining({ meaning: 'good' })));
    expect(changeRest).toHaveBeenCalledWith({ keys: ['files'], change: { kind: 'let_one_through' } });
  });

  it('says when there was nothing to let through', async () => {
    note(() => Promise.resolve({ ok: true, data: { changed: [] } }));
    fireEvent.click(screen.getByRole('button', { name: 'End the rest' }));
    await waitFor(() => expect(toast).toHaveBeenCalledWith(expect.objectContaining({ meaning: 'attention' })));
  });

  it('of a trial under way offers no second one, and to others none at all', () => {
    note(vi.fn(), null);
    expect(screen.queryByRole('button', { name: 'Let one call through now' })).toBeNull();
    expect(screen.getByText(/until that one has ended/)).toBeTruthy();
    cleanup();
    note(null);
    expect(screen.queryByRole('button')).toBeNull();
    expect(screen.getByText(/An operator can let one call through/)).toBeTruthy();
  });
});

describe('the load of a server', () => {
  it('follows what is told, until the page is read anew', () => {
    const page = (load: { inFlight: number; queued: number }) => <p><LiveLoad serverKey="files" load={load} none="none in flight" /></p>;
    const { container, rerender } = render(page({ inFlight: 0, queued: 0 }));
    expect(container.textContent).toBe('none in flight');
    const read = { inFlight: 1, queued: 0 };
    rerender(page(read));
    act(() => live.tell({ type: 'server.load', key: 'other', inFlight: 9, queued: 9 }));
    expect(container.textContent).toBe('1 in flight');
    act(() => live.tell({ type: 'server.load', key: 'files', inFlight: 4, queued: 3 }));
    rerender(page(read));
    expect(container.textContent).toBe('4 in flight, 3 queued');
    rerender(page({ inFlight: 2, queued: 0 }));
    expect(container.textContent).toBe('2 in flight');
  });
});
