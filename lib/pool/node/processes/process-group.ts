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
 * Hands a file under /proc of every process to `take`. Read at once, some at a time: through the pool of threads it
 * costs ten times as much. Who is gone meanwhile, or another user's, says nothing.
 */
async function readEach(file: 'stat' | 'environ', take: (content: Buffer, pid: number) => void): Promise<void> {
  for (const [index, pid] of (await listPids()).entries()) {
    if (index % AT_A_TIME === AT_A_TIME - 1) await yieldToOthers();
    try {
      take(readFileSync(`/proc/${pid}/${file}`), pid);
    } catch {
      // Nothing is known of it.
    }
  }
}

/** A look at every process, one for all who ask meanwhile: a hundred children that end at once look together. */
class SharedLook<T> {
  private next: Promise<T> | null = null;
  private running: Promise<unknown> = Promise.resolve();

  constructor(private readonly look: () => Promise<T>) {}

  /** What is seen from now on: a look that has begun already is not shared. */
  see(): Promise<T> {
    this.next ??= this.running.then(() => {
      this.next = null;
      const seen = this.look();
      this.running = seen.catch(() => undefined);
      return seen;
    });
    return this.next;
  }
}

const liveGroups = new SharedLook(async () => {
  const groups = new Set<number>();
  await readEach('stat', (content) => {
    const stat = parseStat(content.toString('latin1'));
    if (stat !== null && stat.state !== 'Z' && stat.state !== 'X') groups.add(stat.group);
  });
  return groups;
});

const markedProcesses = new SharedLook(async () => {
  const marked = new Map<string, number[]>();
  const name = `${CHILD_MARKER}=`;
  await readEach('environ', (content, pid) => {
    // Few have it, and few texts are made so.
    if (!content.includes(name)) return;
    for (const variable of content.toString('latin1').split('\0')) {
      if (!variable.startsWith(name)) continue;
      const marker = variable.slice(name.length);
      marked.set(marker, [...(marked.get(marker) ?? []), pid]);
    }
  });
  return marked;
});

/** Whether a process of the group runs: the dead that their parent has not reaped do not count. True where the system does not tell. */
export async function hasLiveMember(group: number): Promise<boolean> {
  return !hasProc || (await liveGroups.see()).has(group);
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
export async function listMarked(marker: string): Promise<readonly number[]> {
  return hasProc ? ((await markedProcesses.see()).get(marker) ?? []) : [];
}
