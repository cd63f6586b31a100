import { headers } from 'next/headers';
import { unstable_rethrow } from 'next/navigation';
import type { z } from 'zod';
import type { AuditWriter } from '@/lib/audit/node';
import { roleFor, type Permission, type Principal } from '@/lib/auth';
import type { Runtime } from '@/lib/boot';
import { runtime as openedRuntime } from '@/lib/boot.instance';
import type { ActionResult } from '@/lib/core';
import { requireInput, requireOwnOrigin, requirePrincipal, toFailure } from './request-guard';

interface ActionContext {
  readonly principal: Principal;
  readonly runtime: Runtime;
  /** Writes in the principal's name. Call it inside the transaction of the change, so that both commit or neither. */
  readonly audit: AuditWriter;
}

/** For what is done before anyone is signed in. */
interface PublicActionContext {
  readonly principal: null;
  readonly runtime: Runtime;
}

interface GuardedOptions<Schema extends z.ZodType, Data> {
  readonly permission: Permission;
  readonly input: Schema;
  run(input: z.output<Schema>, context: ActionContext): Promise<Data>;
}

interface PublicOptions<Schema extends z.ZodType, Data> {
  readonly permission: 'public';
  readonly input: Schema;
  run(input: z.output<Schema>, context: PublicActionContext): Promise<Data>;
}

type Action<Data> = (input: unknown) => Promise<ActionResult<Data>>;
type Options<Schema extends z.ZodType, Data> = GuardedOptions<Schema, Data> | PublicOptions<Schema, Data>;

/**
 * A server action: checks where the request comes from, who asks and whether they may, parses the input, and
 * answers with the data or a failure. It never throws but to redirect.
 */
export function defineAction<Schema extends z.ZodType, Data>(options: GuardedOptions<Schema, Data>): Action<Data>;
export function defineAction<Schema extends z.ZodType, Data>(options: PublicOptions<Schema, Data>): Action<Data>;
export function defineAction<Schema extends z.ZodType, Data>(options: Options<Schema, Data>): Action<Data> {
  return async (input) => {
    let runtime: Runtime | null = null;
    try {
      runtime = await openedRuntime();
      return { ok: true, data: await runGuarded(options, input, runtime) };
    } catch (error) {
      unstable_rethrow(error);
      return toFailure(error, { action: options.permission }, runtime);
    }
  };
}

async function runGuarded<Schema extends z.ZodType, Data>(options: Options<Schema, Data>, input: unknown, runtime: Runtime): Promise<Data> {
  const requestHeaders = await headers();
  requireOwnOrigin('POST', requestHeaders, runtime);
  if (options.permission === 'public') return options.run(requireInput(options.input, input), { principal: null, runtime });
  const principal = await requirePrincipal(options.permission, requestHeaders, runtime, recordRefusal);
  const audit = runtime.audit.writerFor(principal.actor);
  return options.run(requireInput(options.input, input), { principal, runtime, audit });
}

/**
 * What a role may not do is refused before anything of it begins: a call so refused never reaches the call path, which
 * puts its own refusals in the ledger, and stands in the audit log instead.
 */
const recordRefusal = (principal: Principal, permission: Permission, runtime: Runtime): void =>
  runtime.audit.record(principal.actor, { type: 'action.refused', subject: `permission:${permission}`, details: { role: principal.role, needs: roleFor(permission) } });
