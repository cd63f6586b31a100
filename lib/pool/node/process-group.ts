import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { setImmediate as yieldToOthers } from 'node:timers/promises';

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

const AT_A_TIME = 64;

/**
 * The processes of the machine of which a file under /proc says what is wanted. Read at once, some at a time: through
 * the pool of threads it costs ten times as much. Who is gone meanwhile, or another user's, says nothing.
 */
async function listWhere(file: 'stat' | 'environ', says: (content: Buffer) => boolean): Promise<number[]> {
  const found: number[] = [];
  for (const [index, pid] of (await listPids()).entries()) {
    if (index % AT_A_TIME === AT_A_TIME - 1) await yieldToOthers();
    try {
      if (says(readFileSync(`/proc/${pid}/${file}`))) found.push(pid);
    } catch {
      // Nothing is known of it.
    }
  }
  return found;
}

/** Whether a process of the group runs: the dead that their parent has not reaped do not count. True where the system does not tell. */
export async function hasLiveMember(group: number): Promise<boolean> {
  if (!hasProc) return true;
  const members = await listWhere('stat', (content) => {
    const stat = parseStat(content.toString('latin1'));
    return stat !== null && stat.group === group && stat.state !== 'Z' && stat.state !== 'X';
  });
  return members.length > 0;
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
  return listWhere('environ', (content) => content.includes(wanted));
}
