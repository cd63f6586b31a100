import { and, desc, eq, isNull } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { artefacts, runFiles, sampleNames, samples } from '@/db/schema';
import { assertNever, err, ok, type Clock, type Result, type RunId } from '@/lib/core';
import type { FileReference, HandedFile } from '..';
import type { BlobStore } from './blob-store';

interface FileIndexOptions {
  readonly database: Database;
  readonly blobs: Pick<BlobStore, 'has'>;
  readonly clock: Clock;
}

/** Finds the content that a reference names, and what it is to the run that hands it over. */
export class FileIndex {
  constructor(private readonly options: FileIndexOptions) {}

  /** @returns a sentence's end where there is no such file: "names …" */
  find(reference: FileReference, runId: RunId): Result<HandedFile, string> {
    const found = this.lookUp(reference, runId);
    if (!found.ok || this.options.blobs.has(found.value.sha256)) return found;
    return err('names a file whose content is not in the store any more');
  }

  /** The run got these files: `file:sample` and its like name the newest of their kind. */
  give(runId: RunId, files: readonly HandedFile[]): void {
    for (const { sha256, kind, name } of files) {
      if (kind === 'tool_file') continue;
      const givenAt = this.options.clock.now();
      this.options.database.orm
        .insert(runFiles)
        .values({ runId, sha256, kind, name, givenAt })
        .onConflictDoUpdate({ target: [runFiles.runId, runFiles.sha256], set: { kind, name, givenAt } })
        .run();
    }
  }

  private lookUp(reference: FileReference, runId: RunId): Result<HandedFile, string> {
    switch (reference.kind) {
      case 'content':
        return this.findContent(reference.sha256, runId);
      case 'input': {
        const { input } = reference;
        const row = this.options.database.orm
          .select({ sha256: runFiles.sha256 }).from(runFiles)
          .where(and(eq(runFiles.runId, runId), eq(runFiles.kind, input))).orderBy(desc(runFiles.givenAt)).limit(1).get();
        return row === undefined ? err(`names the ${input} of this run, and none was given to it yet: name one by its digest first`) : this.findContent(row.sha256, runId);
      }
      case 'output':
        return this.findOutput(reference.step, reference.output, runId);
      default:
        return assertNever(reference);
    }
  }

  private findContent(sha256: string, runId: RunId): Result<HandedFile, string> {
    const own = this.findArtefact(sha256, runId);
    if (own !== undefined) return ok(own);
    const { orm } = this.options.database;
    const sample = orm.select().from(samples).where(and(eq(samples.sha256, sha256), isNull(samples.deletedAt))).get();
    if (sample !== undefined) {
      const named = orm.select({ name: sampleNames.name }).from(sampleNames).where(eq(sampleNames.sha256, sha256)).orderBy(desc(sampleNames.addedAt)).limit(1).get();
      return ok({ sha256, sizeBytes: sample.sizeBytes, name: named?.name ?? sha256, kind: sample.kind, origin: null });
    }
    const other = this.findArtefact(sha256, null);
    return other === undefined ? err('names a content that is neither a sample nor a file that a tool wrote: add it as a sample') : ok(other);
  }

  private findArtefact(sha256: string, runId: RunId | null): HandedFile | undefined {
    const row = this.options.database.orm
      .select().from(artefacts)
      .where(and(eq(artefacts.sha256, sha256), runId === null ? undefined : eq(artefacts.runId, runId))).orderBy(desc(artefacts.id)).limit(1).get();
    return row && toHanded(row);
  }

  private findOutput(step: string, output: string, runId: RunId): Result<HandedFile, string> {
    const rows = this.options.database.orm
      .select().from(artefacts)
      .where(and(eq(artefacts.runId, runId), eq(artefacts.entryId, step), eq(artefacts.output, output))).orderBy(artefacts.id).limit(2).all();
    const [first, second] = rows;
    if (first === undefined) return err(`names an output that ${step} of this run did not put out`);
    if (second !== undefined) return err(`names an output of several files: name the one that is meant by its digest`);
    return ok(toHanded(first));
  }
}

const toHanded = (row: typeof artefacts.$inferSelect): HandedFile => ({
  sha256: row.sha256,
  sizeBytes: row.sizeBytes,
  name: row.name,
  kind: 'tool_file',
  origin: { serverKey: row.serverKey, tool: row.tool, sequence: row.entrySequence, entryId: row.entryId },
});
