'use server';

import { z } from 'zod';
import { defineAction } from '@/app/define-action';
import { changeRests } from '@/app/rest-servers';

const LONGEST_REST_MS = 30 * 24 * 3_600_000;

/** Lets one call or all calls through to servers that rest, or lets servers rest; for one or many. */
export const changeRest = defineAction({
  permission: 'servers.manage',
  input: z.object({
    keys: z.array(z.string()).min(1, 'Choose a server.').max(1000),
    change: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('rest'), forMs: z.int().min(1000, 'A rest lasts a second or more.').max(LONGEST_REST_MS, 'A rest lasts 30 days at most.') }),
      z.object({ kind: z.literal('let_one_through') }),
      z.object({ kind: z.literal('resume') }),
    ]),
  }),
  run: async ({ keys, change }, { principal, runtime, audit }) => ({ changed: changeRests(runtime, keys, change, principal.actor.name, audit) }),
});
