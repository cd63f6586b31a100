import { cookies } from 'next/headers';
import type { SetCookie } from '@/lib/auth/node';

/** What every cookie of a session is: for the server alone, and not sent by the forms of other sites. */
const ATTRIBUTES = { path: '/', httpOnly: true, sameSite: 'lax' } as const;

/** Hands the session's cookies to the browser. */
export async function setSessionCookies(setCookies: readonly SetCookie[]): Promise<void> {
  const jar = await cookies();
  for (const { name, value, maxAgeS } of setCookies) {
    jar.set(name, value, { ...ATTRIBUTES, ...(maxAgeS === null ? {} : { maxAge: maxAgeS }) });
  }
}
