import { readFileSync } from 'node:fs';

/** A process, told from a later one of the same number by when it began. */
export interface ProcessIdentity {
  readonly processId: number;
  /** In the kernel's ticks since boot; empty where the system does not say. */
  readonly startTicks: string;
}

export const thisProcess = (): ProcessIdentity => ({ processId: process.pid, startTicks: readStartTicks(process.pid) ?? '' });

/** Whether that very process still runs; where the system keeps no start times, whether its number is in use. */
export function isRunning(owner: ProcessIdentity): boolean {
  if (owner.startTicks === '') return isNumberInUse(owner.processId);
  return readStartTicks(owner.processId) === owner.startTicks;
}

/** Field 22 of `/proc/<pid>/stat`, counted from behind the name, which may hold blanks and brackets. */
function readStartTicks(processId: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${processId}/stat`, 'utf8');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    // A zombie has ended: it only waits for its parent to look.
    return fields[0] === 'Z' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

function isNumberInUse(processId: number): boolean {
  try {
    process.kill(processId, 0);
    return true;
  } catch (cause) {
    return cause instanceof Error && 'code' in cause && cause.code === 'EPERM';
  }
}
