'use server';

import { z } from 'zod';
import { defineAction } from '@/app/define-action';

/** Marks changes as read, or as not read, for whoever asks. */
export const markItems = defineAction({
  permission: 'servers.see',
  input: z.object({ ids: z.array(z.int().positive()).max(1000), isRead: z.boolean() }),
  run: async ({ ids, isRead }, { principal, runtime }) => {
    runtime.health.inbox.mark(principal.actor.name, ids, isRead);
    return null;
  },
});

/** Marks everything as read that had come when the page was read. */
export const markAll = defineAction({
  permission: 'servers.see',
  input: z.object({ upTo: z.int().positive() }),
  run: async ({ upTo }, { principal, runtime }) => {
    runtime.health.inbox.markAll(principal.actor.name, upTo);
    return null;
  },
});
