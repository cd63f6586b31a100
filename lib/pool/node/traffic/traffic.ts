import { KiB, MiB, Redactor, type Clock } from '@/lib/core';
import type { LiveMessage } from '@/lib/live';
import type { ServerKey } from '@/lib/servers';
import type { ConnectionPurpose, Traffic, WireDirection, WireMessage } from '../..';
import { listSecretTexts } from './secret-texts';
import { TrafficRing, weigh, type RecordedConnection, type RecordedMessage, type RingLimits } from './traffic-ring';

/** How much is kept: of a message, of a server, of all together. */
const LONGEST_TEXT_BYTES = 64 * KiB;
const TAIL_CHARACTERS = 512;
const SERVER_LIMITS: RingLimits = { messages: 500, bytes: 4 * MiB };
const TOTAL_BYTES = 64 * MiB;
/** Whoever watches is told of new messages no more often than this. */
const TOLD_EVERY_MS = 250;
/** So much text is scrubbed for one answer: whoever wants more asks again, and calls go on between. */
const TEXT_AT_ONCE_BYTES = MiB;

export interface TrafficOptions {
  readonly clock: Clock;
  readonly publish: (message: LiveMessage) => void;
  /** Knows every secret of the vault. */
  readonly redactor: Redactor;
  readonly limits?: { readonly server: RingLimits; readonly totalBytes: number };
}

/** Whose messages they are. */
export interface RecordedFor {
  /** The servers that the connection belongs to, asked at each message: others may come to share it. */
  readonly keys: () => readonly ServerKey[];
  readonly purpose: ConnectionPurpose;
  /** What was secret in the configuration, in clear. */
  readonly secretValues: readonly string[];
}

/** Records one connection: goes to `openConnection` as `onWire`. */
export interface TrafficRecorder {
  readonly onWire: (direction: WireDirection, text: string, sizeBytes: number) => void;
  /** The connection is over, or was never set up. */
  readonly end: () => void;
}

export interface TrafficQuery {
  /** Messages after this number; null for the newest. */
  readonly after: number | null;
  readonly limit: number;
}

/**
 * What passed between the console and its servers: for each server its last messages, over all its connections, whole
 * up to 64 KiB each. To record costs a copy of at most that; texts are read and scrubbed when somebody looks.
 */
export class TrafficBook {
  private readonly rings = new Map<ServerKey, TrafficRing>();
  /** Of the servers that were told of within the last moment; true where more came since. */
  private readonly told = new Map<ServerKey, { isDue: boolean; readonly timer: NodeJS.Timeout }>();
  private readonly server: RingLimits;
  private readonly totalBytes: number;

  constructor(private readonly options: TrafficOptions) {
    this.server = options.limits?.server ?? SERVER_LIMITS;
    this.totalBytes = options.limits?.totalBytes ?? TOTAL_BYTES;
  }

  /** Begins to record a connection. It shows once something passed over it. */
  record({ keys, purpose, secretValues }: RecordedFor): TrafficRecorder {
    const { clock } = this.options;
    let secrets: Redactor | undefined;
    const connection: RecordedConnection = {
      purpose, openedAt: clock.now(), endedAt: null, secrets: () => (secrets ??= new Redactor(listSecretTexts(secretValues))),
    };
    const joined = new Map<ServerKey, TrafficRing>();
    return {
      onWire: (direction, text, sizeBytes) => {
        const message = toRecorded(connection, direction, text, sizeBytes, clock.now());
        for (const key of keys()) this.add(key, message, joined);
        this.keepWithinTotal();
      },
      end: () => {
        connection.endedAt ??= clock.now();
        for (const key of joined.keys()) this.tell(key);
      },
    };
  }

  /** Messages without their texts. */
  listRows(key: ServerKey, { after, limit }: TrafficQuery): Traffic {
    const ring = this.rings.get(key);
    if (ring === undefined) return NO_TRAFFIC;
    const { messages, more } = ring.list(after, limit);
    return { since: ring.since, rows: messages.map((message) => ring.toRow(message, this.options.redactor)), connections: ring.listConnections(), more };
  }

  /** Messages with their texts, without secrets; so many that their scrubbing does not hold up others. */
  listMessages(key: ServerKey, { after, limit }: TrafficQuery): Traffic<WireMessage> {
    const ring = this.rings.get(key);
    if (ring === undefined) return NO_TRAFFIC;
    const { messages, more } = ring.list(after ?? 0, limit);
    const rows: WireMessage[] = [];
    let bytes = 0;
    for (const message of messages) {
      bytes += weigh(message.recorded);
      if (rows.length > 0 && bytes > TEXT_AT_ONCE_BYTES) break;
      rows.push(ring.toMessage(message, this.options.redactor));
    }
    return { since: ring.since, rows, connections: ring.listConnections(), more: more || rows.length < messages.length };
  }

  /** Forgets a server that was deleted; what still comes over its connections is not kept. */
  forget(key: ServerKey): void {
    const ring = this.rings.get(key);
    if (ring === undefined) return;
    ring.forget();
    this.rings.delete(key);
  }

  close(): void {
    for (const { timer } of this.told.values()) clearTimeout(timer);
    this.told.clear();
  }

  private add(key: ServerKey, message: RecordedMessage, joined: Map<ServerKey, TrafficRing>): void {
    const ring = joined.get(key) ?? this.find(key);
    if (ring.isForgotten) return;
    // A server that comes to share a connection gets what passed over it before, the handshake above all.
    const elder = joined.has(key) ? undefined : [...joined.values()].find(({ isForgotten }) => !isForgotten);
    joined.set(key, ring);
    for (const each of elder?.listOf(message.connection) ?? [message]) ring.add(each);
    this.tell(key);
  }

  private find(key: ServerKey): TrafficRing {
    const known = this.rings.get(key);
    if (known !== undefined) return known;
    const ring = new TrafficRing(this.options.clock.now(), this.server);
    this.rings.set(key, ring);
    return ring;
  }

  /** What all keep is bounded too: the server that keeps most gives up its oldest. */
  private keepWithinTotal(): void {
    let total = 0;
    for (const ring of this.rings.values()) total += ring.bytes;
    while (total > this.totalBytes) {
      const fattest = [...this.rings.values()].reduce((most, ring) => (ring.bytes > most.bytes ? ring : most));
      const before = fattest.bytes;
      fattest.dropOldest();
      total -= before - fattest.bytes;
    }
  }

  private tell(key: ServerKey): void {
    const told = this.told.get(key);
    if (told !== undefined) {
      told.isDue = true;
      return;
    }
    const timer = setTimeout(() => {
      const { isDue } = this.told.get(key) ?? { isDue: false };
      this.told.delete(key);
      if (isDue) this.tell(key);
    }, TOLD_EVERY_MS);
    timer.unref();
    this.told.set(key, { isDue: false, timer });
    this.options.publish({ type: 'server.traffic', key });
  }
}

const NO_TRAFFIC = { since: 0, rows: [], connections: [], more: false };

/** Copies what is kept: a part of a string would keep the whole of it alive. */
function toRecorded(connection: RecordedConnection, direction: WireDirection, text: string, sizeBytes: number, at: number): RecordedMessage {
  const bytes = Buffer.allocUnsafeSlow(Math.min(sizeBytes, LONGEST_TEXT_BYTES, text.length * 3));
  const written = bytes.write(text);
  const head = written === bytes.length ? bytes : Buffer.from(bytes.subarray(0, written));
  // A character that would be cut is left out; and of a message that the transport let go only the beginning was given.
  const isCutHere = sizeBytes > written && written > LONGEST_TEXT_BYTES - 4;
  return { connection, direction, at, sizeBytes, head, tail: isCutHere ? Buffer.from(text.slice(-TAIL_CHARACTERS)) : null };
}
