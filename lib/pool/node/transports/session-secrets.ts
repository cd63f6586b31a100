import { Redactor } from '@/lib/core';

/** A shorter id stands in other texts too, and hides nothing that could not be guessed. */
const SHORTEST_ID = 6;
/** A part of a path that is as long names a session rather than a place. */
const LONG_SEGMENT = 16;
/** A connection has a session or two; who gives ever new ones is not remembered for ever. */
const MOST_KEPT = 20;

/** The ids of the sessions that a server gave: whoever has one speaks as the console, so they are shown nowhere. */
export class SessionSecrets {
  private values: readonly string[] = [];
  private redactor: Redactor | null = null;

  learn(values: readonly string[]): void {
    const fresh = values.filter((value) => value.length >= SHORTEST_ID && !this.values.includes(value));
    if (fresh.length === 0) return;
    this.values = [...this.values, ...fresh].slice(-MOST_KEPT);
    this.redactor = new Redactor(this.values);
  }

  /** The text without the ids, and with all else that it says. */
  readonly hide = (text: string): string => this.redactor?.withoutWireValues(text, false) ?? text;
}

/** What of the endpoint that a stream names is the session's: what its own address has not. */
export function listSessionIds(endpoint: URL, stream: URL): string[] {
  const known = new Set([...stream.searchParams.values(), ...stream.pathname.split('/')]);
  const segments = endpoint.pathname.split('/').filter((segment) => segment.length >= LONG_SEGMENT);
  return [...endpoint.searchParams.values(), ...endpoint.search.slice(1).split(/[&=]/), ...segments].filter((value) => !known.has(value));
}
