'use server';

import { headers } from 'next/headers';
import { redirect } from 'next/navigation';
import { z } from 'zod';
import { defineAction } from '@/app/define-action';
import { describeRefusal, emailSchema, newPasswordSchema, personNameSchema } from '@/lib/auth/node';
import { AppError } from '@/lib/core';
import { toNextPath } from './next-path';
import { setSessionCookies } from './session-cookies';

export const signIn = defineAction({
  permission: 'public',
  input: z.object({
    email: z.string().min(1, 'Write your e-mail address.'),
    password: z.string().min(1, 'Write your password.'),
    next: z.string().optional(),
  }),
  run: async ({ email, password, next }, { runtime }) => {
    const result = await runtime.accounts.signIn(email, password, await headers());
    if (!result.ok) throw new AppError({ code: 'not_signed_in', message: describeRefusal(result.error) });
    await setSessionCookies(result.value);
    redirect(toNextPath(next));
  },
});

export const setUp = defineAction({
  permission: 'public',
  input: z.object({ token: z.string(), name: personNameSchema, email: emailSchema, password: newPasswordSchema }),
  run: async ({ token, ...person }, { runtime }) => {
    await runtime.accounts.createFirstAdmin(token, person);
    const result = await runtime.accounts.signIn(person.email, person.password, await headers());
    if (!result.ok) redirect('/sign-in');
    await setSessionCookies(result.value);
    redirect('/servers');
  },
});

export const signOut = defineAction({
  permission: 'public',
  input: z.unknown(),
  run: async (_input, { runtime }) => {
    await setSessionCookies(await runtime.accounts.signOut(await headers()));
    redirect('/sign-in');
  },
});
