import type { ChildRecords } from './child-records';
import { hasLiveMember, listMarked, signalGroup, signalProcess } from './process-group';
import type { StartedChild } from './spawn';

/** How long each step of ending a child may take, ms; the whole stays within 5 s so that all can end within 8. */
const AFTER_STDIN_CLOSED_MS = 1_500;
/** Descendants that outlive the program that was started do not hear that its stdin was closed. */
const AFTER_LEADER_MS = 300;
const AFTER_SIGTERM_MS = 1_500;
const AFTER_SIGKILL_MS = 500;
const FIRST_POLL_MS = 15;
const LONGEST_POLL_MS = 200;
/** To look at every process of the machine costs something. */
const LOOK_EVERY_MS = 100;

/** A wait that keeps the process alive: a close must not be cut short by the end of the event loop. */
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Waits until something is gone, `ms` at most; true when it is. */
async function waitUntilGone(isGone: () => boolean | Promise<boolean>, ms: number): Promise<boolean> {
  const deadline = performance.now() + ms;
  for (let pollMs = FIRST_POLL_MS; !(await isGone()); pollMs = Math.min(pollMs * 2, LONGEST_POLL_MS)) {
    if (performance.now() > deadline) return false;
    await wait(pollMs);
  }
  return true;
}

/**
 * Ends a child with all its descendants: closes its stdin, then SIGTERM and SIGKILL to its group, then whoever left
 * the group but carries the marker. Its record is removed when nothing of it is left. Never throws.
 */
export async function endChild(child: StartedChild, records: ChildRecords): Promise<void> {
  const leaderIsGone = () => child.process.exitCode !== null || child.process.signalCode !== null;
  let lookedAt = -Infinity;
  const isGone = async () => {
    if (!signalGroup(child.pid, 0)) return true;
    // While the leader lives there is no need to look closer; after it, only the dead that nobody reaped may be left.
    if (!leaderIsGone() || performance.now() - lookedAt < LOOK_EVERY_MS) return false;
    lookedAt = performance.now();
    return !(await hasLiveMember(child.pid));
  };
  child.process.stdin.end();
  const hasEnded = (await waitUntilGone(leaderIsGone, AFTER_STDIN_CLOSED_MS)) && (await waitUntilGone(isGone, AFTER_LEADER_MS));
  if (!hasEnded) {
    signalGroup(child.pid, 'SIGTERM');
    if (!(await waitUntilGone(isGone, AFTER_SIGTERM_MS))) {
      signalGroup(child.pid, 'SIGKILL');
      await waitUntilGone(isGone, AFTER_SIGKILL_MS);
    }
  }
  await endMarked(child.marker);
  for (const stream of [child.process.stdin, child.process.stdout, child.process.stderr]) stream.destroy();
  records.remove(child.marker);
}

/** Ends every process that carries the marker, those that they start meanwhile included; how many there were. */
export async function endMarked(marker: string): Promise<number> {
  let ended = 0;
  for (let round = 0; round < 10; round += 1) {
    const pids = await listMarked(marker);
    if (pids.length === 0) return ended;
    ended += pids.length;
    // One gentle round: a program that put itself aside may still have something to finish.
    for (const pid of pids) signalProcess(pid, round === 0 ? 'SIGTERM' : 'SIGKILL');
    await wait(round === 0 ? 200 : 50);
  }
  return ended;
}
