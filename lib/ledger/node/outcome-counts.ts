import { z } from 'zod';
import type { Database } from '@/db/client';
import { OUTCOMES } from '@/lib/calls';

const countsSchema = z.array(z.object({ serverKey: z.string(), outcome: z.enum(OUTCOMES), wasSent: z.int().transform((flag) => flag !== 0), count: z.int() }));

/** How many calls of a server stand so. */
export type OutcomeCount = z.output<typeof countsSchema>[number];

/**
 * Counts the calls requested in a span of time by server and outcome, the console's own left out.
 * @returns a function of the span: its first moment and the one after its last, in ms
 */
export function prepareOutcomeCounts({ sqlite }: Pick<Database, 'sqlite'>): (from: number, to: number) => OutcomeCount[] {
  const query = sqlite.prepare<[number, number]>(
    `SELECT server_key AS serverKey, outcome, sent_at IS NOT NULL AS wasSent, count(*) AS count
     FROM ledger_entries INDEXED BY ledger_entries_requested
     WHERE requested_at >= ? AND requested_at < ? AND plumbing = 0 GROUP BY 1, 2, 3`,
  );
  return (from, to) => countsSchema.parse(query.all(from, to));
}
