'use server';

import { revalidatePath } from 'next/cache';
import { z } from 'zod';
import { defineAction } from '@/app/define-action';
import { newPasswordSchema, newPersonSchema, roleSchema } from '@/lib/auth/node';

const PAGE = '/settings/people';
const personSchema = z.object({ id: z.string() });

export const addPerson = defineAction({
  permission: 'people.manage',
  input: newPersonSchema,
  run: async (person, { principal, runtime }) => {
    const { email } = await runtime.accounts.create(person, principal.actor);
    revalidatePath(PAGE);
    return { email };
  },
});

export const setRole = defineAction({
  permission: 'people.manage',
  input: personSchema.extend({ role: roleSchema }),
  run: async ({ id, role }, { principal, runtime }) => {
    runtime.accounts.setRole(id, role, principal.actor);
    revalidatePath(PAGE);
  },
});

export const disablePerson = defineAction({
  permission: 'people.manage',
  input: personSchema,
  run: async ({ id }, { principal, runtime }) => {
    runtime.accounts.disable(id, principal.actor);
    revalidatePath(PAGE);
  },
});

export const enablePerson = defineAction({
  permission: 'people.manage',
  input: personSchema,
  run: async ({ id }, { principal, runtime }) => {
    runtime.accounts.enable(id, principal.actor);
    revalidatePath(PAGE);
  },
});

export const resetPassword = defineAction({
  permission: 'people.manage',
  input: personSchema.extend({ password: newPasswordSchema }),
  run: async ({ id, password }, { principal, runtime }) => runtime.accounts.resetPassword(id, password, principal.actor),
});
