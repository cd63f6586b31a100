import type { Database } from '@/db/client';
import { artefacts, runDegradations } from '@/db/schema';
import type { Clock, RunId } from '@/lib/core';
import type { Artefact } from '..';

/** What became of a run's files beside its calls: what it took, and what it had to do without. */
export class RunNotes {
  constructor(private readonly options: { readonly database: Database; readonly clock: Clock }) {}

  /** The run is less than it could have been; the same words count once. */
  degrade(runId: RunId, words: string, entrySequence: number): void {
    this.options.database.orm.insert(runDegradations).values({ runId, words, entrySequence, at: this.options.clock.now() }).onConflictDoNothing().run();
  }

  noteArtefact({ sequence, ...artefact }: Omit<Artefact, 'id' | 'takenAt'>): void {
    this.options.database.orm.insert(artefacts).values({ ...artefact, entrySequence: sequence, takenAt: this.options.clock.now() }).run();
  }
}
