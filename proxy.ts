import { NextResponse, type NextRequest } from 'next/server';
import { decideOrigin, toRequestOrigin } from '@/lib/auth';
import { readEnvironment, type Environment } from '@/lib/env';

// Without the routes: what a request carries through here is cut at 10 MiB, and they check for themselves.
export const config = { matcher: ['/((?!api(?:/|$)|mcp(?:/|$)|_next/static/|icon\\.svg$).*)'] };

let environment: Environment | undefined;

/** Pages: refuses requests that name another host or come from another page, and says what a page may load. */
export function proxy(request: NextRequest): NextResponse {
  environment ??= readEnvironment();
  const verdict = decideOrigin(toRequestOrigin(request.method, request.headers), environment);
  if (!verdict.ok) {
    return new NextResponse(`${verdict.message}\n`, { status: verdict.reason === 'host' ? 421 : 403, headers: { 'content-type': 'text/plain; charset=utf-8' } });
  }
  const nonce = crypto.randomUUID().replaceAll('-', '');
  const policy = toPolicy(nonce, environment.production);
  const headers = new Headers(request.headers);
  headers.set('x-nonce', nonce);
  headers.set('x-signalbox-path', `${request.nextUrl.pathname}${request.nextUrl.search}`);
  headers.set('content-security-policy', policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set('content-security-policy', policy);
  response.headers.set('x-content-type-options', 'nosniff');
  response.headers.set('referrer-policy', 'same-origin');
  response.headers.set('x-frame-options', 'DENY');
  response.headers.set('cross-origin-opener-policy', 'same-origin');
  response.headers.set('permissions-policy', 'camera=(), microphone=(), geolocation=(), payment=(), usb=()');
  return response;
}

/** Development alone needs `unsafe-eval` (React's traces) and inline styles (the overlay). */
function toPolicy(nonce: string, production: boolean): string {
  return [
    `default-src 'self'`,
    `script-src 'self' 'nonce-${nonce}' 'strict-dynamic'${production ? '' : ` 'unsafe-eval'`}`,
    production ? `style-src 'self' 'nonce-${nonce}'` : `style-src 'self' 'unsafe-inline'`,
    `style-src-attr 'unsafe-inline'`,
    `img-src 'self' blob: data:`,
    `media-src 'self' blob:`,
    `font-src 'self'`,
    `connect-src 'self'`,
    `object-src 'none'`,
    `base-uri 'self'`,
    `form-action 'self'`,
    `frame-ancestors 'none'`,
  ].join('; ');
}
