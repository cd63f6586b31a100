interface Waiter {
  readonly cap: number;
  readonly start: () => void;
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

  /**
   * Waits for a place. `cap` 0 is none.
   * @param onQueued told how many wait ahead, where the call has to wait at all
   * @returns undefined where the signal fired first; it leaves the queue and took no place
   */
  async take(fingerprint: string, cap: number, onQueued: (ahead: number) => void, signal: AbortSignal): Promise<Slot | undefined> {
    if (signal.aborted) return undefined;
    const lane = this.laneOf(fingerprint);
    if (lane.waiting.length > 0 || isFull(lane, cap)) {
      onQueued(lane.waiting.length);
      if (!(await this.wait(lane, cap, signal))) {
        this.forget(fingerprint, lane);
        return undefined;
      }
    } else {
      lane.inFlight += 1;
    }
    return this.toSlot(fingerprint, lane);
  }

  load(fingerprint: string): { readonly inFlight: number; readonly queued: number } {
    const lane = this.lanes.get(fingerprint);
    return { inFlight: lane?.inFlight ?? 0, queued: lane?.waiting.length ?? 0 };
  }

  /** A waiter's place is counted when it is given, before its caller wakes. */
  private wait(lane: Lane, cap: number, signal: AbortSignal): Promise<boolean> {
    return new Promise((resolve) => {
      const leave = (): void => {
        const at = lane.waiting.indexOf(waiter);
        if (at >= 0) lane.waiting.splice(at, 1);
        resolve(false);
      };
      const waiter: Waiter = {
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
      },
    };
  }

  private admit(lane: Lane): void {
    for (let next = lane.waiting[0]; next !== undefined && !isFull(lane, next.cap); next = lane.waiting[0]) {
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
