import type { Database } from '@/db/client';
import { systemClock, type Clock } from '@/lib/core';

const LOOK_EVERY_MS = 1000;

interface GuardWatchOptions {
  readonly database: Database;
  readonly clock?: Clock;
  /** A rest or a trial of this configuration began or ended: by another process, or because its time was over. */
  readonly onChange: (fingerprint: string) => void;
  /** How often it is looked, in ms. */
  readonly everyMs?: number;
}

interface GuardRow {
  readonly fingerprint: string;
  readonly kind: string;
  readonly untilAt: number | null;
}

/** Sees what happens to rests without this process: commands beside the console change them too, and time ends them. */
export class GuardWatch {
  private readonly clock: Clock;
  private readonly select;
  private readonly timer: NodeJS.Timeout;
  private known: ReadonlyMap<string, string>;

  constructor(private readonly options: GuardWatchOptions) {
    this.clock = options.clock ?? systemClock;
    this.select = options.database.sqlite.prepare<[], GuardRow>(
      "SELECT fingerprint, state ->> 'kind' AS kind, state ->> 'untilAt' AS untilAt FROM guards WHERE state ->> 'kind' <> 'working'",
    );
    this.known = this.read();
    this.timer = setInterval(() => this.look(), options.everyMs ?? LOOK_EVERY_MS);
    this.timer.unref();
  }

  close(): void {
    clearInterval(this.timer);
  }

  private look(): void {
    const before = this.known;
    this.known = this.read();
    for (const fingerprint of new Set([...before.keys(), ...this.known.keys()])) {
      if (before.get(fingerprint) !== this.known.get(fingerprint)) this.options.onChange(fingerprint);
    }
  }

  /** How each configuration that is not simply working stands. */
  private read(): ReadonlyMap<string, string> {
    const now = this.clock.now();
    return new Map(this.select.all().map(({ fingerprint, kind, untilAt }) => [fingerprint, `${kind} ${untilAt ?? ''} ${untilAt !== null && untilAt <= now}`]));
  }
}
