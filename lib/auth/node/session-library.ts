import { betterAuth } from 'better-auth';
import { drizzleAdapter } from 'better-auth/adapters/drizzle';
import { admin } from 'better-auth/plugins';
import { createAccessControl } from 'better-auth/plugins/access';
import { adminAc, defaultStatements } from 'better-auth/plugins/admin/access';
import type { Database } from '@/db/client';
import * as schema from '@/db/schema';
import { hashPassword, verifyPassword } from './password';
import { sessionCookiePrefix } from './session-cookie';

/** How long a sign-in lasts, in seconds. */
const SESSION_S = 14 * 24 * 3600;

export interface SessionLibraryOptions {
  readonly database: Database;
  readonly secret: string;
  /** Where browsers reach the console, `http://127.0.0.1:4280`. */
  readonly origin: string;
  readonly port: number;
}

const access = createAccessControl(defaultStatements);
const nothing = access.newRole({ user: [], session: [] });

/**
 * better-auth, set up to check passwords and keep sessions. Its HTTP endpoints are not mounted: sign-in and
 * sign-out are actions of ours, and people are changed by `People`.
 */
export function createSessionLibrary(options: SessionLibraryOptions) {
  return betterAuth({
    baseURL: options.origin,
    secret: options.secret,
    telemetry: { enabled: false },
    database: drizzleAdapter(options.database.orm, { provider: 'sqlite', schema, usePlural: true }),
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    // A page cannot set cookies while it renders, so a session keeps the end that its cookie has.
    session: { expiresIn: SESSION_S, disableSessionRefresh: true },
    // `SignInThrottle` takes its place: the library's own looks only at requests to its endpoints.
    rateLimit: { enabled: false },
    advanced: { cookiePrefix: sessionCookiePrefix(options.port) },
    // Refuses those who are disabled at sign-in.
    plugins: [
      admin({
        ac: access,
        roles: { viewer: nothing, analyst: nothing, operator: nothing, admin: access.newRole(adminAc.statements) },
        defaultRole: 'viewer',
        adminRoles: ['admin'],
      }),
    ],
    logger: { disabled: true },
  });
}
