import { eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { runs } from '@/db/schema';
import type { Actor } from '@/lib/auth';
import { AppError, runIds, systemClock, type Clock, type RunId } from '@/lib/core';

/** The runs that entries belong to. */
export class RunStore {
  private readonly database: Database;
  private readonly clock: Clock;

  constructor(options: { readonly database: Database; readonly clock?: Clock }) {
    this.database = options.database;
    this.clock = options.clock ?? systemClock;
  }

  /**
   * The run of the calls by hand of one sign-in, gateway session or command; made at its first call for it.
   * @param origin what it stands for, such as `session:<id>` or `cli:<id>`; the same origin is the same run
   */
  sessionRun(origin: string, actor: Actor): RunId {
    const { orm } = this.database;
    const find = () => orm.select({ id: runs.id }).from(runs).where(eq(runs.origin, origin)).get();
    const known = find();
    if (known === undefined) {
      orm
        .insert(runs)
        .values({ id: runIds.create(), kind: 'session', actorKind: actor.kind, actorName: actor.name, origin, startedAt: this.clock.now() })
        .onConflictDoNothing()
        .run();
    }
    const id = runIds.parse((known ?? find())?.id ?? '');
    if (id === undefined) throw new AppError({ code: 'internal', message: 'The session run could not be read back.' });
    return id;
  }
}
