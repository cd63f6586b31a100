'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { defineAction } from '@/app/define-action';
import { secretNameSchema, secretValueSchema } from '@/lib/vault';

const PAGE = '/settings/vault';

export const saveSecret = defineAction({
  permission: 'vault.manage',
  input: z.object({ name: secretNameSchema, value: secretValueSchema }),
  run: async ({ name, value }, { principal, runtime }) => {
    runtime.vault.set(name, value, principal);
    revalidatePath(PAGE);
    return { name };
  },
});

export const clearSecret = defineAction({
  permission: 'vault.manage',
  input: z.object({ name: z.string() }),
  run: async ({ name }, { principal, runtime }) => {
    runtime.vault.clear(name, principal);
    revalidatePath(PAGE);
  },
});
