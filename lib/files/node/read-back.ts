import type { Json, Result, RunId } from '@/lib/core';
import { isLocal, type ServerEntry } from '@/lib/servers';
import { READ_BACK_TOOL, type OutputEnd, type OutputRequest } from '..';
import type { BlobStore } from './blob-store';
import { requireFileName } from './file-name';
import { CONSOLE_JOB, type JobDirectories } from './job-directories';
import { NotTaken } from './not-taken';
import type { MakePlumbingCall } from './plumbing';
import { readArtefact } from './read-artefact';
import { readJobFile } from './read-job-file';
import type { RunNotes } from './run-notes';

/** Evaluates a JMESPath over a value, bounded in time and size; the error is words. */
export type Select = (path: string, value: Json, signal: AbortSignal) => Promise<Result<Json, string>>;

interface ReadBackOptions {
  readonly blobs: Pick<BlobStore, 'put'>;
  readonly jobs: Pick<JobDirectories, 'path'>;
  readonly notes: RunNotes;
  readonly select: Select;
  /** Where a server with `sample_mount` sees the job directory; null for any other. */
  readonly findMount: (entry: ServerEntry) => string | null;
}

/** An answer whose files are wanted. */
export interface AnsweredCall {
  readonly runId: RunId;
  readonly entry: ServerEntry;
  readonly tool: string;
  readonly sequence: number;
  readonly entryId: string;
  readonly tools: ReadonlySet<string>;
  readonly value: Json;
  readonly outputs: readonly OutputRequest[];
  readonly call: MakePlumbingCall;
  readonly onOutput: (output: OutputEnd) => void;
}

/** More files than this of one output are a mistake in its path. */
const MOST_FILES = 1_000;

/** Takes the files that a tool's answer names into the store; each that is not taken says why. */
export class ReadBack {
  constructor(private readonly options: ReadBackOptions) {}

  async take(answered: AnsweredCall, signal: AbortSignal): Promise<readonly OutputEnd[]> {
    const ends: OutputEnd[] = [];
    for (const output of answered.outputs) {
      const paths = await this.listPaths(output, answered.value, signal);
      const taken = typeof paths === 'string' ? [notTaken(output, null, paths)] : paths.map((path) => this.takeOne(output, path, answered, signal));
      for (const end of taken) {
        const settled = await end;
        answered.onOutput(settled);
        ends.push(settled);
      }
    }
    return ends;
  }

  /** @returns the words where the output names no paths */
  private async listPaths({ path }: OutputRequest, value: Json, signal: AbortSignal): Promise<readonly string[] | string> {
    const selected = await this.options.select(path, value, signal);
    if (!selected.ok) return selected.error;
    const items: readonly Json[] = Array.isArray(selected.value) ? (selected.value as readonly Json[]) : [selected.value]; // a list of Json has Json items
    const paths = items.filter((item) => typeof item === 'string' && item !== '').map(String);
    if (selected.value === null || items.length === 0) return `the answer names no file at ${path}`;
    if (paths.length !== items.length) return `what the answer has at ${path} is neither a path nor a list of paths`;
    return paths.length > MOST_FILES ? `the answer names ${paths.length} files at ${path}, more than ${MOST_FILES}` : paths;
  }

  private async takeOne(output: OutputRequest, path: string, answered: AnsweredCall, signal: AbortSignal): Promise<OutputEnd> {
    try {
      const stored = await this.options.blobs.put(this.openFile(path, answered, signal));
      const name = toName(path);
      const { runId, sequence, entryId, tool, entry } = answered;
      this.options.notes.noteArtefact({ runId, sequence, entryId, serverKey: entry.key, tool, output: output.name, path, name, ...stored });
      return { taken: true, output: output.name, path, name, ...stored };
    } catch (error) {
      if (signal.aborted) return notTaken(output, path, 'the call was stopped while its files were read back');
      if (error instanceof NotTaken) return notTaken(output, path, error.message);
      return notTaken(output, path, `it could not be kept: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  private openFile(path: string, { entry, tools, call }: AnsweredCall, signal: AbortSignal): AsyncIterable<Uint8Array> {
    if (tools.has(READ_BACK_TOOL)) return readArtefact(path, call, signal);
    const directory = this.options.jobs.path(CONSOLE_JOB);
    if (isLocal(entry)) return readJobFile(directory, path, signal);
    const mount = this.options.findMount(entry);
    if (mount === null) throw new NotTaken(`${entry.key} offers no ${READ_BACK_TOOL}, and its files are not on this machine`);
    return readJobFile(directory, fromMount(path, mount), signal);
  }
}

/** A path as the server sees the job directory, as one of here. */
function fromMount(path: string, mount: string): string {
  const prefix = `${mount.replace(/\/+$/, '')}/`;
  if (path.startsWith(prefix)) return path.slice(prefix.length);
  if (path.startsWith('/')) throw new NotTaken(`path_outside_job: ${path} lies outside ${mount}, where the server sees the job directory`);
  return path;
}

const notTaken = ({ name }: OutputRequest, path: string | null, words: string): OutputEnd => ({ taken: false, output: name, path, words });

function toName(path: string): string {
  const last = path.split(/[/\\]/).findLast((part) => part !== '') ?? '';
  try {
    return requireFileName(last);
  } catch {
    return 'output';
  }
}
