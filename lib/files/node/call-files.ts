import type { Database } from '@/db/client';
import type { Clock } from '@/lib/core';
import type { ServerEntry } from '@/lib/servers';
import type { BlobStore } from './blob-store';
import { FileIndex } from './file-index';
import type { JobDirectories } from './job-directories';
import { ReadBack, type Select } from './read-back';
import { RunNotes } from './run-notes';
import { Stager, type ResolvedAddress } from './stager';
import { UploadRecords, type Owner } from './upload-records';
import { Uploader } from './uploader';

interface CallFilesOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly jobs: JobDirectories;
  readonly clock: Clock;
  /** The process that uploads, and how one of its like is known to run. */
  readonly owner: Owner;
  readonly isRunning: (owner: Owner) => boolean;
  readonly findAddress: (entry: ServerEntry) => ResolvedAddress;
  readonly select: Select;
}

/** What the call path needs to hand files over and to take them back. */
export interface CallFiles {
  readonly records: UploadRecords;
  readonly stager: Stager;
  readonly readBack: ReadBack;
}

/** Makes the parts that move the files of calls, wired to each other. */
export function openCallFiles({ database, blobs, jobs, clock, owner, isRunning, findAddress, select }: CallFilesOptions): CallFiles {
  const records = new UploadRecords({ database, clock, owner, isRunning });
  const notes = new RunNotes({ database, clock });
  const uploader = new Uploader({ blobs, records });
  return {
    records,
    stager: new Stager({ files: new FileIndex({ database, blobs, clock }), uploader, jobs, blobs, notes, findAddress }),
    readBack: new ReadBack({ blobs, jobs, notes, select, findMount: (entry) => findAddress(entry).sampleMount }),
  };
}
