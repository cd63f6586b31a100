import { eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { eraVerdicts } from '@/db/schema';
import type { Era } from '@/lib/servers';

/** What a probe found, with its date. */
export interface EraVerdict {
  readonly era: Era;
  /** The older transport that was fallen back to; absent where the server speaks the one that its entry names. */
  readonly transport?: 'sse';
  /** What the transport of the entry answered then, in a sentence. */
  readonly refusal?: string;
  readonly decidedAt: number;
}

/** The eras that probes found, kept by fingerprint so that later starts are single. */
export interface EraVerdicts {
  find(fingerprint: string): EraVerdict | undefined;
  save(fingerprint: string, verdict: EraVerdict): void;
  forget(fingerprint: string): void;
}

export class StoredEraVerdicts implements EraVerdicts {
  constructor(private readonly database: Database) {}

  find(fingerprint: string): EraVerdict | undefined {
    const row = this.database.orm.select().from(eraVerdicts).where(eq(eraVerdicts.fingerprint, fingerprint)).get();
    return row && { era: row.era, decidedAt: row.decidedAt, ...(row.transport !== null && { transport: row.transport }), ...(row.refusal !== null && { refusal: row.refusal }) };
  }

  save(fingerprint: string, verdict: EraVerdict): void {
    const { era, transport = null, refusal = null, decidedAt } = verdict;
    const found = { era, transport, refusal, decidedAt };
    this.database.orm.insert(eraVerdicts).values({ fingerprint, ...found }).onConflictDoUpdate({ target: eraVerdicts.fingerprint, set: found }).run();
  }

  forget(fingerprint: string): void {
    this.database.orm.delete(eraVerdicts).where(eq(eraVerdicts.fingerprint, fingerprint)).run();
  }
}
