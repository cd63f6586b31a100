import { randomBytes } from 'node:crypto';
import type { z } from 'zod';
import { decideOrigin, may, roleFor, toRequestOrigin, type Permission, type Principal } from '@/lib/auth';
import type { Runtime } from '@/lib/boot';
import { AppError, type ActionResult, type FieldError } from '@/lib/core';

type Failure = Extract<ActionResult<never>, { ok: false }>;

/** @throws AppError `not_allowed` for a request that names another host, or comes from another page */
export function requireOwnOrigin(method: string, headers: Headers, runtime: Runtime): void {
  const verdict = decideOrigin(toRequestOrigin(method, headers), runtime.env);
  if (!verdict.ok) throw new AppError({ code: 'not_allowed', message: verdict.message, data: { reason: verdict.reason } });
}

/** @throws AppError `not_signed_in`, or `not_allowed` with who can */
export async function requirePrincipal(permission: Permission, headers: Headers, runtime: Runtime, onRefused?: (principal: Principal, permission: Permission, runtime: Runtime) => void): Promise<Principal> {
  const principal = await runtime.accounts.principalFor(headers);
  if (principal === null) {
    throw new AppError({ code: 'not_signed_in', message: 'You are not signed in, or your sign-in has ended.', remedy: 'Sign in and try again.' });
  }
  if (!may(principal.role, permission)) {
    onRefused?.(principal, permission, runtime);
    const message = `This needs the role ${roleFor(permission)}; you are signed in as ${principal.role}.`;
    throw new AppError({ code: 'not_allowed', message, remedy: 'Ask an admin of this console.' });
  }
  return principal;
}

/** @throws AppError `bad_input` with a sentence for each field */
export function requireInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const fields: FieldError[] = parsed.error.issues.map((issue) => ({ field: issue.path.map(String).join('.'), message: issue.message }));
  const [first] = fields;
  const message = fields.length === 1 && first !== undefined ? first.message : `${fields.length} fields need another value.`;
  throw new AppError({ code: 'bad_input', message, fields });
}

/** What the asker is told, and the log keeps, under one reference. The cause goes to the log alone. */
export function toFailure(error: unknown, about: Readonly<Record<string, unknown>>, runtime: Runtime | null): Failure {
  const ref = randomBytes(5).toString('hex');
  if (!(error instanceof AppError)) {
    runtime?.log.error({ ...about, ref, err: error }, 'failed unexpectedly');
    return {
      ok: false,
      code: 'internal',
      message: `Something in the console failed. The log has the reason under ${ref}.`,
      remedy: null,
      fields: [],
      ref,
    };
  }
  const level = error.code === 'internal' ? 'error' : error.code === 'unavailable' ? 'warn' : 'info';
  runtime?.log[level]({ ...about, ref, code: error.code, data: error.data, err: level === 'info' ? undefined : error }, error.message);
  return { ok: false, code: error.code, message: error.message, remedy: error.remedy, fields: error.fields, ref };
}
