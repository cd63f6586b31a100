import type { FieldError, Result } from '@/lib/core';
import type { ReadProblem } from '@/lib/interchange';
import type { ServerKey, ServerRecord } from '..';
import type { ServerDirectory } from './directory';

/** A server of the file that cannot be used: its own failure, its neighbours stay. */
export interface BrokenServer {
  readonly key: ServerKey;
  readonly label: string;
  readonly errors: readonly FieldError[];
}

/** The servers of a file named by `--config`; not for writing. */
export declare class FileServers implements ServerDirectory {
  private constructor();
  /** Reads the file once. */
  static read(file: string): Result<FileServers, ReadProblem>;
  list(): readonly ServerRecord[];
  find(key: ServerKey): ServerRecord | undefined;
  readonly broken: readonly BrokenServer[];
  readonly warnings: readonly string[];
}
