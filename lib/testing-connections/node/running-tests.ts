import { testIds, type TestId } from '@/lib/core';
import type { ServerKey } from '@/lib/servers';
import type { ConnectionTestResult, TestEvent } from '../test-result';

/** A test that someone follows: what happened so far, and the result once it has one. */
export interface FollowedTest {
  readonly testId: TestId;
  readonly key: ServerKey;
  readonly events: readonly TestEvent[];
  readonly result: ConnectionTestResult | null;
}

interface HeldTest {
  readonly key: ServerKey;
  /** Of the configuration that is tested. */
  readonly fingerprint: string;
  readonly events: TestEvent[];
  readonly controller: AbortController;
  ended: Promise<ConnectionTestResult> | null;
  result: ConnectionTestResult | null;
}

/** How many ended tests are held for those who come back to the page; older ones that were saved are in the store. */
const HELD_TESTS = 100;

/** The tests of this process: those that run, and the last that ended. */
export class RunningTests {
  private readonly held = new Map<TestId, HeldTest>();

  /**
   * Starts a test and returns its id at once.
   * @param work the test; it settles when nothing of it is left, and does not reject
   */
  start(
    { key, fingerprint }: { readonly key: ServerKey; readonly fingerprint: string },
    onEvent: (testId: TestId, event: TestEvent) => void,
    work: (testId: TestId, onEvent: (event: TestEvent) => void, signal: AbortSignal) => Promise<ConnectionTestResult>,
  ): { readonly testId: TestId; readonly ended: Promise<ConnectionTestResult> } {
    const testId = testIds.create();
    const held: HeldTest = { key, fingerprint, events: [], controller: new AbortController(), ended: null, result: null };
    this.held.set(testId, held);
    const ended = work(
      testId,
      (event) => {
        held.events.push(event);
        onEvent(testId, event);
      },
      held.controller.signal,
    ).then((result) => {
      held.result = result;
      this.forgetOldest();
      return result;
    });
    held.ended = ended;
    return { testId, ended };
  }

  find(testId: TestId): FollowedTest | undefined {
    const held = this.held.get(testId);
    return held && { testId, key: held.key, events: [...held.events], result: held.result };
  }

  /** The configuration that a held test was of. */
  fingerprintOf(testId: TestId): string | undefined {
    return this.held.get(testId)?.fingerprint;
  }

  /** @returns whether the test was still running */
  cancel(testId: TestId): boolean {
    const held = this.held.get(testId);
    if (held === undefined || held.result !== null) return false;
    held.controller.abort(new Error('cancelled'));
    return true;
  }

  /** Cancels all that run and waits until nothing of them is left. */
  async close(): Promise<void> {
    for (const { controller } of this.held.values()) controller.abort(new Error('the console ends'));
    await Promise.allSettled([...this.held.values()].flatMap(({ ended }) => ended ?? []));
  }

  private forgetOldest(): void {
    const over = [...this.held].filter(([, { result }]) => result !== null).slice(0, -HELD_TESTS);
    for (const [testId] of over) this.held.delete(testId);
  }
}
