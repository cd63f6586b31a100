import type { AuditWriter } from '@/lib/audit/node';
import type { Permission, Principal } from '@/lib/auth';
import type { Runtime } from '@/lib/boot';
import { runtime as openedRuntime } from '@/lib/boot.instance';
import { assertNever, type AppErrorCode } from '@/lib/core';
import type { Logger } from '@/lib/log';
import { requireOwnOrigin, requirePrincipal, toFailure } from './request-guard';

type RouteParams = Readonly<Record<string, string | string[] | undefined>>;

export interface PublicRouteContext {
  readonly runtime: Runtime;
  readonly params: RouteParams;
  readonly log: Logger;
}

export interface RouteContext extends PublicRouteContext {
  readonly principal: Principal;
  /** Writes in the principal's name; call it inside the transaction of the change. */
  readonly audit: AuditWriter;
}

type RouteHandler = (request: Request, context: { params: Promise<RouteParams> }) => Promise<Response>;

interface RouteOptions {
  readonly permission: Permission;
  run(request: Request, context: RouteContext): Promise<Response>;
}

/** A route: checks where the request comes from, who asks and whether they may; failures answer as JSON. */
export function defineRoute(options: RouteOptions): RouteHandler {
  return handle(async (request, context) => {
    const principal = await requirePrincipal(options.permission, request.headers, context.runtime);
    return options.run(request, { ...context, principal, audit: context.runtime.audit.writerFor(principal.actor) });
  });
}

/** A route that anybody who reaches the console may read; Host and Origin are checked all the same. */
export const definePublicRoute = (options: { run(request: Request, context: PublicRouteContext): Promise<Response> }): RouteHandler =>
  handle((request, context) => options.run(request, context));

function handle(respond: (request: Request, context: PublicRouteContext) => Promise<Response>): RouteHandler {
  return async (request, { params }) => {
    let runtime: Runtime | null = null;
    try {
      runtime = await openedRuntime();
      requireOwnOrigin(request.method, request.headers, runtime);
      const response = await respond(request, { runtime, params: await params, log: runtime.log });
      return withDefaults(response);
    } catch (error) {
      const { code, message, remedy, fields, ref } = toFailure(error, { route: new URL(request.url).pathname }, runtime);
      return withDefaults(Response.json({ code, message, remedy, fields, ref }, { status: toStatus(code) }));
    }
  };
}

/** What is read through a route is somebody's, of the moment, and nothing but what its type says. */
function withDefaults(response: Response): Response {
  if (!response.headers.has('cache-control')) response.headers.set('cache-control', 'no-store');
  response.headers.set('x-content-type-options', 'nosniff');
  response.headers.set('cross-origin-resource-policy', 'same-origin');
  return response;
}

function toStatus(code: AppErrorCode): number {
  switch (code) {
    case 'bad_input':
      return 400;
    case 'not_signed_in':
      return 401;
    case 'not_allowed':
      return 403;
    case 'not_found':
      return 404;
    case 'conflict':
      return 409;
    case 'too_large':
      return 413;
    case 'unavailable':
      return 503;
    case 'internal':
      return 500;
    default:
      return assertNever(code);
  }
}
