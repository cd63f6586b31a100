import type { RequestId } from '../transports/frame';
import type { Ask } from './ask';

/** A request on the wire: one of ours, or (`ask` null) one of the library's own. */
export interface OpenRequest {
  readonly method: string;
  readonly ask: Ask | null;
}

/** How many given-up requests are remembered, so that a late answer finds its call. */
const MOST_REMEMBERED = 1_000;

/** What went out and is not answered, by id; and the calls whose tasks go on after their answer. */
export class OpenRequests {
  private readonly waiting = new Map<string, OpenRequest>();
  /** By the token of their progress. */
  private readonly tasks = new Map<string, Ask>();

  add(id: RequestId, request: OpenRequest): void {
    this.waiting.set(String(id), request);
    this.forgetOldest();
  }

  find(id: RequestId): OpenRequest | undefined {
    return this.waiting.get(String(id));
  }

  remove(id: RequestId): void {
    this.waiting.delete(String(id));
  }

  /** The request that an unusable answer ends: the one it names; without a name the only one that waits. */
  findUnusable(id: RequestId | null): readonly [string, OpenRequest] | undefined {
    const open = [...this.waiting].filter(([key, { ask, method }]) => !ask?.isSettled && method !== 'subscriptions/listen' && (id === null || key === String(id)));
    return open.length === 1 ? open[0] : undefined;
  }

  idOf(ask: Ask): string | null {
    for (const [id, waiting] of this.waiting) if (waiting.ask === ask) return id;
    return null;
  }

  /** Those of ours that somebody waits for. */
  listAsks(): Ask[] {
    return [...new Set([...this.waiting.values()].map(({ ask }) => ask))].filter((ask): ask is Ask => ask !== null && !ask.isSettled);
  }

  beginTask(token: RequestId, ask: Ask): void {
    this.tasks.set(String(token), ask);
  }

  endTask(ask: Ask): void {
    for (const [token, of] of this.tasks) if (of === ask) this.tasks.delete(token);
  }

  /** Whose progress this token is of. */
  findByToken(token: string): Ask | null {
    return this.waiting.get(token)?.ask ?? this.tasks.get(token) ?? null;
  }

  clear(): void {
    this.waiting.clear();
    this.tasks.clear();
  }

  private forgetOldest(): void {
    if (this.waiting.size <= MOST_REMEMBERED) return;
    for (const [key, { ask }] of this.waiting) {
      if (!ask?.isSettled) continue;
      this.waiting.delete(key);
      return;
    }
  }
}
