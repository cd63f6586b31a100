import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';

/** The variable that marks a child and, by inheritance, all its descendants, wherever they went. */
export const CHILD_MARKER = 'SIGNALBOX_CHILD';

const hasProc = process.platform === 'linux';

/** The fields of `/proc/<pid>/stat` after the name, which may itself hold spaces and brackets. */
function parseStat(stat: string): { state: string; group: number; startTicks: string } | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  const startTicks = fields[19];
  if (state === undefined || group === undefined || startTicks === undefined) return null;
  return { state, group: Number(group), startTicks };
}

/**
 * When a process started, as a text that differs for two processes that had the same number one after the other:
 * the kernel's ticks on Linux, the date of `ps` elsewhere. null where there is no such process.
 */
export function findStartTicks(pid: number): string | null {
  try {
    if (hasProc) {
      const stat = parseStat(readFileSync(`/proc/${pid}/stat`, 'latin1'));
      return stat === null || stat.state === 'Z' ? null : stat.startTicks;
    }
    return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim() || null;
  } catch {
    return null;
  }
}

/** The process's group, null where there is no such process or the system does not tell. */
export async function findGroup(pid: number): Promise<number | null> {
  if (!hasProc) return null;
  try {
    return parseStat(await readFile(`/proc/${pid}/stat`, 'latin1'))?.group ?? null;
  } catch {
    return null;
  }
}

const listPids = async (): Promise<number[]> => (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);

/** Whether a process of the group runs: the dead that their parent has not reaped do not count. True where the system does not tell. */
export async function hasLiveMember(group: number): Promise<boolean> {
  if (!hasProc) return true;
  const stats = await Promise.all((await listPids()).map((pid) => readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null)));
  return stats.some((text) => {
    const stat = text === null ? null : parseStat(text);
    return stat !== null && stat.group === group && stat.state !== 'Z' && stat.state !== 'X';
  });
}

/** Sends a signal to a whole group; false when no process of it is left. */
export function signalGroup(group: number, signal: NodeJS.Signals | 0): boolean {
  try {
    process.kill(-group, signal);
    return true;
  } catch {
    return false;
  }
}

/** Sends a signal to one process; a process that is gone is no error. */
export function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // Gone in the meantime, which is what was wanted.
  }
}

/**
 * The processes that carry the marker in their environment: descendants of the child, in its group or not.
 * Empty on systems without /proc, where the group alone is known.
 */
export async function listMarked(marker: string): Promise<number[]> {
  if (!hasProc) return [];
  const wanted = Buffer.from(`${CHILD_MARKER}=${marker}\0`);
  const pids = await listPids();
  const marked = await Promise.all(
    pids.map(async (pid) => {
      try {
        return (await readFile(`/proc/${pid}/environ`)).includes(wanted) ? pid : null;
      } catch {
        // Gone, or another user's.
        return null;
      }
    }),
  );
  return marked.filter((pid) => pid !== null);
}
