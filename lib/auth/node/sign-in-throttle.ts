import type { Clock } from '@/lib/core';

const WINDOW_MS = 5 * 60_000;
/** Wrong passwords for one address within the window. */
const FAILURES_PER_ADDRESS = 8;
/** Wrong passwords altogether within the window: who guesses addresses as well meets this one. */
const FAILURES_IN_ALL = 60;

/**
 * Slows the guessing of passwords. It counts by the e-mail address that is tried, not by the network's address:
 * behind a proxy that is everybody's, and a client may write what it likes into the headers that carry it.
 */
export class SignInThrottle {
  private failures: { readonly email: string; readonly at: number }[] = [];

  constructor(private readonly clock: Clock) {}

  /** How long until another try is looked at, in ms; 0 when it may be made now. */
  waitMs(email: string): number {
    const now = this.clock.now();
    this.failures = this.failures.filter((failure) => failure.at > now - WINDOW_MS);
    const own = this.failures.filter((failure) => failure.email === email);
    return Math.max(waitFor(own, FAILURES_PER_ADDRESS, now), waitFor(this.failures, FAILURES_IN_ALL, now));
  }

  failed(email: string): void {
    this.failures.push({ email, at: this.clock.now() });
  }

  succeeded(email: string): void {
    this.failures = this.failures.filter((failure) => failure.email !== email);
  }
}

function waitFor(failures: readonly { at: number }[], limit: number, now: number): number {
  const oldest = failures.at(-limit);
  return oldest === undefined ? 0 : oldest.at + WINDOW_MS - now;
}
