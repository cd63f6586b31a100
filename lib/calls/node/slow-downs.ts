import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@/lib/core';

/** Of the waits where a server asks for fewer requests and names no time. */
const FIRST_MS = 1_000;
const LONGEST_MS = 30_000;
/** Those who wait for one time do not all come at that time. */
const SPREAD_MS = 500;

export type Readiness =
  | { readonly kind: 'ready' }
  /** The server wants to be left alone for longer than the call may take. */
  | { readonly kind: 'too_long'; readonly waitMs: number }
  | { readonly kind: 'stopped' };

interface SlowDown {
  readonly untilAt: number;
  /** Refusals since the last answer. */
  readonly refusals: number;
}

/**
 * Servers that asked to be called less (HTTP 429), by resolved configuration: what one call was told holds for all, so
 * that twenty callers do not ask twenty times.
 */
export class SlowDowns {
  private readonly slowed = new Map<string, SlowDown>();

  constructor(
    private readonly clock: Clock,
    private readonly random: () => number = Math.random,
  ) {}

  /** A call was refused; `retryAfterMs` is what the server named. */
  note(fingerprint: string, retryAfterMs: number | undefined): void {
    const known = this.slowed.get(fingerprint);
    const now = this.clock.now();
    // Calls that were under way together are refused together: that is one refusal.
    const refusals = known === undefined ? 0 : known.untilAt > now ? known.refusals : known.refusals + 1;
    // A time that has passed is none.
    const waitMs = retryAfterMs !== undefined && retryAfterMs > 0 ? retryAfterMs : Math.min(FIRST_MS * 2 ** refusals, LONGEST_MS);
    this.slowed.set(fingerprint, { untilAt: Math.max(known?.untilAt ?? 0, now + waitMs), refusals });
  }

  /** A call was answered: the server takes calls again. */
  clear(fingerprint: string): void {
    const known = this.slowed.get(fingerprint);
    if (known !== undefined && known.untilAt <= this.clock.now()) this.slowed.delete(fingerprint);
  }

  /** Waits until the server may be called, where that is within the call's time. */
  async wait(fingerprint: string, withinMs: number, onWait: (waitMs: number) => void, signal: AbortSignal): Promise<Readiness> {
    const endsAt = this.clock.now() + withinMs;
    for (;;) {
      if (signal.aborted) return { kind: 'stopped' };
      const now = this.clock.now();
      const waitMs = (this.slowed.get(fingerprint)?.untilAt ?? 0) - now;
      if (waitMs <= 0) return { kind: 'ready' };
      if (waitMs > endsAt - now) return { kind: 'too_long', waitMs };
      onWait(waitMs);
      await sleep(waitMs + Math.round(this.random() * SPREAD_MS), undefined, { signal }).catch(() => undefined);
    }
  }
}
