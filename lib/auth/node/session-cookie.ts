import { createHmac } from 'node:crypto';

/**
 * Cookies know no ports: two consoles on one machine would sign each other's people out, were the names alike.
 * The rest of the name is the library's.
 */
export const sessionCookiePrefix = (port: number): string => `signalbox-${port}`;

export const sessionCookieName = (port: number): string => `${sessionCookiePrefix(port)}.session_token`;

/**
 * The value of the session cookie for the token of a row in `sessions`, as the library signs it: so that a test
 * can sign in by inserting a row.
 * @param secret the text of `auth.key` in the data directory
 */
export function toSessionCookie(token: string, secret: string): string {
  const signature = createHmac('sha256', secret).update(token).digest('base64');
  return encodeURIComponent(`${token}.${signature}`);
}
