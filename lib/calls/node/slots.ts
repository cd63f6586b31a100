interface Waiter {
  readonly id: string;
  readonly cap: () => number;
  readonly start: () => void;
}

/** A call that wants a place. */
export interface SlotRequest {
  readonly fingerprint: string;
  /** The call, so that its place in the queue can be asked for. */
  readonly id: string;
  /** How many may be in flight, 0 for any number; asked anew while it waits, so that a raised cap helps who waits. */
  readonly cap: () => number;
  /** Told how many wait ahead, where the call has to wait at all. */
  readonly onQueued: (ahead: number) => void;
}

export interface Load {
  readonly inFlight: number;
  readonly queued: number;
}

interface Lane {
  inFlight: number;
  readonly waiting: Waiter[];
}

/** A place among the calls in flight; given back once, whatever happens. */
export interface Slot {
  release(): void;
}

/** The cap on calls in flight of one process, for each resolved configuration, and its queue in order. */
export class Slots {
  private readonly lanes = new Map<string, Lane>();

  /** @param onChange told whenever the load of a configuration changed */
  constructor(private readonly onChange: (fingerprint: string) => void = () => undefined) {}

  /** Waits for a place. @returns undefined where the signal fired first; it leaves the queue and took no place */
  async take(request: SlotRequest, signal: AbortSignal): Promise<Slot | undefined> {
    if (signal.aborted) return undefined;
    const { fingerprint, cap, onQueued } = request;
    const lane = this.laneOf(fingerprint);
    this.admit(lane);
    if (lane.waiting.length > 0 || isFull(lane, cap())) {
      onQueued(lane.waiting.length);
      const waited = this.wait(lane, request, signal);
      this.onChange(fingerprint);
      if (!(await waited)) {
        this.forget(fingerprint, lane);
        this.onChange(fingerprint);
        return undefined;
      }
    } else {
      lane.inFlight += 1;
    }
    this.onChange(fingerprint);
    return this.toSlot(fingerprint, lane);
  }

  load(fingerprint: string): Load {
    const lane = this.lanes.get(fingerprint);
    return { inFlight: lane?.inFlight ?? 0, queued: lane?.waiting.length ?? 0 };
  }

  /** How many wait ahead of a call that waits; null where it does not. */
  findAhead(id: string): number | null {
    for (const { waiting } of this.lanes.values()) {
      const ahead = waiting.findIndex((waiter) => waiter.id === id);
      if (ahead >= 0) return ahead;
    }
    return null;
  }

  /** A waiter's place is counted when it is given, before its caller wakes. */
  private wait(lane: Lane, { id, cap }: SlotRequest, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (): void => {
        const at = lane.waiting.indexOf(waiter);
        if (at >= 0) lane.waiting.splice(at, 1);
        resolve(false);
      };
      const waiter: Waiter = {
        id,
        cap,
        start: () => {
          signal.removeEventListener('abort', leave);
          resolve(true);
        },
      };
      lane.waiting.push(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  private toSlot(fingerprint: string, lane: Lane): Slot {
    let held = true;
    return {
      release: () => {
        if (!held) return;
        held = false;
        lane.inFlight -= 1;
        this.admit(lane);
        this.forget(fingerprint, lane);
        this.onChange(fingerprint);
      },
    };
  }

  private admit(lane: Lane): void {
    for (let next = lane.waiting[0]; next !== undefined && !isFull(lane, next.cap()); next = lane.waiting[0]) {
      lane.waiting.shift();
      lane.inFlight += 1;
      next.start();
    }
  }

  private laneOf(fingerprint: string): Lane {
    const lane = this.lanes.get(fingerprint) ?? { inFlight: 0, waiting: [] };
    this.lanes.set(fingerprint, lane);
    return lane;
  }

  private forget(fingerprint: string, lane: Lane): void {
    if (lane.inFlight === 0 && lane.waiting.length === 0) this.lanes.delete(fingerprint);
  }
}

const isFull = (lane: Lane, cap: number): boolean => cap > 0 && lane.inFlight >= cap;
