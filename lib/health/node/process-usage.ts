import { readdirSync, readFileSync } from 'node:fs';
import type { ProcessUsage } from '..';

/** What /proc counts start times in, a second: fixed for programs on Linux (`man 5 proc`, USER_HZ). */
const TICKS_A_SECOND = 100;
/** A runner that starts programs without end is not followed without end. */
const MOST_PROCESSES = 200;

/**
 * The memory of a child and of all that it started, and since when it runs; null where there is no such process or
 * the system does not tell.
 */
export function readProcessUsage(processId: number): ProcessUsage | null {
  const own = readProcess(processId);
  if (own === null) return null;
  let residentBytes = 0;
  let processes = 0;
  const waiting = [processId];
  for (let next = waiting.pop(); next !== undefined && processes < MOST_PROCESSES; next = waiting.pop()) {
    const found = readResidentBytes(next);
    if (found === null) continue;
    residentBytes += found;
    processes += 1;
    waiting.push(...listChildren(next));
  }
  return { processId, residentBytes, processes, startedAt: own.startedAt };
}

function readProcess(processId: number): { readonly startedAt: number } | null {
  const stat = readProc(`${processId}/stat`);
  // The fields after the name, which may itself hold spaces and brackets.
  const startTicks = stat?.slice(stat.lastIndexOf(')') + 2).split(' ')[19];
  const bootSeconds = /^btime (\d+)$/m.exec(readProc('stat') ?? '')?.[1];
  if (startTicks === undefined || bootSeconds === undefined) return null;
  return { startedAt: Math.round(Number(bootSeconds) * 1000 + (Number(startTicks) / TICKS_A_SECOND) * 1000) };
}

function readResidentBytes(processId: number): number | null {
  const kibibytes = /^VmRSS:\s+(\d+) kB$/m.exec(readProc(`${processId}/status`) ?? '')?.[1];
  return kibibytes === undefined ? null : Number(kibibytes) * 1024;
}

/** Each thread has the children that it started. */
function listChildren(processId: number): number[] {
  try {
    return readdirSync(`/proc/${processId}/task`).flatMap((thread) =>
      (readProc(`${processId}/task/${thread}/children`) ?? '').split(' ').filter((id) => id !== '').map(Number),
    );
  } catch {
    return [];
  }
}

/** null where it is not there: another system, or a process that is gone. */
function readProc(path: string): string | null {
  try {
    return readFileSync(`/proc/${path}`, 'latin1');
  } catch {
    return null;
  }
}
