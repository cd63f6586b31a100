'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { defineAction } from '@/app/define-action';

/** A number of a form; empty sets no limit. */
const limit = (most: number) =>
  z
    .string()
    .trim()
    .refine((text) => text === '' || (/^\d{1,12}$/.test(text) && Number(text) >= 1 && Number(text) <= most), `Write a whole number from 1 to ${most}, or nothing for no limit.`)
    .transform((text) => (text === '' ? null : Number(text)));

/** How much of the ledger is kept. What is beyond goes within the minute after. */
export const saveRetention = defineAction({
  permission: 'ledger.manage',
  input: z.object({ days: limit(36_500), entries: limit(1_000_000_000) }),
  run: async (retention, { runtime, audit }) => {
    runtime.ledger.retention.save(retention, audit);
    runtime.ledger.wakeRetention();
    revalidatePath('/settings/retention');
  },
});
