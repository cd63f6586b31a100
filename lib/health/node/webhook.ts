import { desc } from 'drizzle-orm';
import { setTimeout as wait } from 'node:timers/promises';
import type { Database } from '@/db/client';
import { webhookDeliveries } from '@/db/schema';
import { AppError, systemClock, type Clock } from '@/lib/core';
import { parseWebhookAddress, toTestBody, toWebhookBody, type DeliveryView, type StateChange, type WebhookBody } from '..';

/** How often a post is tried, the wait before the second try (each later one waits four times as long), and its clock, in ms. */
const TRIES = 4;
const FIRST_WAIT_MS = 1_000;
const ANSWER_MS = 10_000;
/** Changes that wait while the address does not answer; beyond it the newest are in the inbox alone. */
const MOST_WAITING = 100;

export interface WebhookOptions {
  readonly database: Database;
  /** The address as the vault holds it; undefined where there is none. */
  readonly findAddress: () => string | undefined;
  /** Whether changes are to be posted at all. */
  readonly isOn: () => boolean;
  readonly redactor: { value(value: unknown): unknown };
  /** Where the console is reached, for the links. */
  readonly origin: string;
  /** Answers the status; follows no redirect. */
  readonly post: (url: URL, body: string, signal: AbortSignal) => Promise<number>;
  readonly onDelivered: () => void;
  readonly log: { error(data: object, message: string): void };
  readonly clock?: Clock;
  readonly firstWaitMs?: number;
  readonly answerMs?: number;
}

interface Attempt {
  readonly ok: boolean;
  readonly message: string;
  readonly triesAgain: boolean;
}

/** Posts changes of state to the address in the vault, one after the other, and keeps how each went. */
export class Webhook {
  private readonly clock: Clock;
  private readonly closing = new AbortController();
  private queue: Promise<void> = Promise.resolve();
  private waiting = 0;

  constructor(private readonly options: WebhookOptions) {
    this.clock = options.clock ?? systemClock;
  }

  /** Posts a change, after those before it; nobody waits for it. */
  announce(change: StateChange): void {
    if (!this.options.isOn() || this.closing.signal.aborted) return;
    if (this.waiting >= MOST_WAITING) {
      this.keep(change.id, { ok: false, triesAgain: false, message: 'It was not posted: too many changes wait for the address to answer.' }, 0);
      return;
    }
    this.waiting += 1;
    this.queue = this.queue
      .then(() => this.deliver(change.id, toWebhookBody(change, this.options.origin), TRIES))
      .catch((error: unknown) => this.options.log.error({ err: error }, 'the post of a change could not be kept'))
      .finally(() => (this.waiting -= 1));
  }

  /** Tries the address once, now. @throws AppError `bad_input` where there is none */
  async test(): Promise<DeliveryView> {
    if (this.options.findAddress() === undefined) throw new AppError({ code: 'bad_input', message: 'There is no address to post to.', remedy: 'Write one first.' });
    await this.deliver(null, toTestBody(this.clock.now(), this.options.origin), 1);
    const [last] = this.list(1);
    if (last === undefined) throw new AppError({ code: 'unavailable', message: 'The console ends: nothing was posted.' });
    return last;
  }

  /** How the last posts went, the newest first. */
  list(limit: number): DeliveryView[] {
    return this.options.database.orm
      .select()
      .from(webhookDeliveries)
      .orderBy(desc(webhookDeliveries.id))
      .limit(limit)
      .all()
      .map(({ id, at, ok, attempts, message, changeId }) => ({ id, at, ok, attempts, message, isTest: changeId === null }));
  }

  /** Ends: what was not delivered stands in the inbox. */
  async close(): Promise<void> {
    this.closing.abort();
    await this.queue;
  }

  private async deliver(changeId: number | null, body: WebhookBody, tries: number): Promise<void> {
    const { firstWaitMs = FIRST_WAIT_MS } = this.options;
    for (let attempt = 1; !this.closing.signal.aborted; attempt += 1) {
      const outcome = await this.attempt(body);
      if (this.closing.signal.aborted) return;
      if (outcome.ok || !outcome.triesAgain || attempt >= tries) return this.keep(changeId, outcome, attempt);
      const waitMs = firstWaitMs * 4 ** (attempt - 1) * (0.8 + Math.random() * 0.4);
      await wait(waitMs, undefined, { signal: this.closing.signal, ref: false }).catch(() => undefined);
    }
  }

  private async attempt(body: WebhookBody): Promise<Attempt> {
    const { findAddress, post, redactor, answerMs = ANSWER_MS } = this.options;
    const address = findAddress();
    if (address === undefined) return failed('There is no address to post to.', false);
    const parsed = parseWebhookAddress(address);
    if (!parsed.ok) return failed(parsed.message, false);
    const clock = AbortSignal.timeout(answerMs);
    try {
      const status = await post(parsed.url, JSON.stringify(redactor.value(body)), AbortSignal.any([this.closing.signal, clock]));
      return toAttempt(status);
    } catch (error) {
      if (clock.aborted) return failed(`The address did not answer within ${answerMs / 1000} s.`, true);
      return toRefusal(error);
    }
  }

  private keep(changeId: number | null, { ok, message }: Attempt, attempts: number): void {
    this.options.database.orm.insert(webhookDeliveries).values({ at: this.clock.now(), changeId, ok, attempts, message }).run();
    this.options.onDelivered();
  }
}

const failed = (message: string, triesAgain: boolean): Attempt => ({ ok: false, message, triesAgain });

function toAttempt(status: number): Attempt {
  if (status >= 200 && status < 300) return { ok: true, message: `It was taken (HTTP ${status}).`, triesAgain: false };
  if (status >= 300 && status < 400) return failed(`The address leads elsewhere (HTTP ${status}), which is not followed: write the address that it leads to.`, false);
  return failed(`The address refused it (HTTP ${status}).`, status >= 500 || status === 429 || status === 408);
}

/** Only the code: the system's own words name the address, which is a secret. */
function toRefusal(error: unknown): Attempt {
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
  if (code === 'ADDRESS_NOT_ALLOWED') return failed('The address is a link-local one, to which the console does not connect.', false);
  return failed(`The address could not be reached${code === null ? '' : ` (${code})`}.`, true);
}
