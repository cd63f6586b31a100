import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { err, ok, toVisibleText, type FieldError, type Result } from '@/lib/core';
import { readConfiguration, type Configuration, type ReadProblem } from '@/lib/interchange';
import type { ServerKey, ServerRecord } from '..';
import type { ServerDirectory } from './directory';

/** A server of the file that cannot be used: its own failure, its neighbours stay. */
export interface BrokenServer {
  readonly key: ServerKey;
  readonly label: string;
  readonly errors: readonly FieldError[];
}

/** The servers of a file named by `--config`; not for writing. */
export class FileServers implements ServerDirectory {
  readonly broken: readonly BrokenServer[];
  /** Sentences about what of the file was not taken over. */
  readonly warnings: readonly string[];
  readonly permissions: Configuration['permissions'];
  private readonly records: ReadonlyMap<ServerKey, ServerRecord>;

  private constructor(configuration: Configuration, savedAt: number) {
    const records = new Map<ServerKey, ServerRecord>();
    const broken: BrokenServer[] = [];
    for (const { key, label, entry } of configuration.servers) {
      if (entry.ok) {
        records.set(key, { entry: entry.value, revision: 0, savedAt, reviewedAt: null, source: 'file', bundled: false });
      } else {
        broken.push({ key, label, errors: entry.error });
      }
    }
    this.records = records;
    this.broken = broken;
    this.permissions = configuration.permissions;
    this.warnings = [...configuration.warnings, ...ignoredWarnings(configuration)];
  }

  /** Reads the file once, at the start of a command. */
  static read(file: string): Result<FileServers, ReadProblem> {
    let text: string;
    let savedAt: number;
    try {
      text = readFileSync(file, 'utf8');
      savedAt = Math.trunc(statSync(file).mtimeMs);
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
      const message = `The file ${file} cannot be read (${code}). Name a file that exists and that you may read.`;
      return err({ message, line: null, column: null });
    }
    const read = readConfiguration(text, { fileName: basename(file) });
    return read.ok ? ok(new FileServers(read.value, savedAt)) : read;
  }

  list(): readonly ServerRecord[] {
    return [...this.records.values()];
  }

  find(key: ServerKey): ServerRecord | undefined {
    return this.records.get(key);
  }
}

const ignoredWarnings = (configuration: Configuration): readonly string[] =>
  configuration.servers
    .filter(({ ignored }) => ignored.length > 0)
    .map(({ key, ignored }) => `${key}: not taken over from the file: ${toVisibleText(ignored.join(', '))}.`);
