import { join } from 'node:path';
import { parseSetCookieHeader } from 'better-auth/cookies';
import { APIError } from 'better-auth/api';
import type { Database } from '@/db/client';
import type { AuditLog } from '@/lib/audit/node';
import { AppError, assertNever, err, ok, type Clock, type Result, type RunId } from '@/lib/core';
import { readOrMakeKeyFile } from '@/lib/vault/node';
import { newPasswordSchema, newPersonSchema, roleSchema, type NewPerson } from './person-input';
import type { Actor, Principal } from '../principal';
import type { Role } from '../role';
import { hashPassword } from './password';
import { People, type Person } from './people';
import { createSessionLibrary } from './session-library';
import { SetupToken } from './setup-token';
import { SignInThrottle } from './sign-in-throttle';

export interface AccountsOptions {
  readonly database: Database;
  readonly audit: AuditLog;
  readonly clock: Clock;
  /** The data directory, where the key that signs session cookies stands. */
  readonly home: string;
  readonly origin: string;
  readonly port: number;
  /** The run that the calls of one sign-in belong to. */
  sessionRun(origin: string, actor: Actor): RunId;
}

/** A cookie for the browser, as the session library wants it set. */
export interface SetCookie {
  readonly name: string;
  readonly value: string;
  readonly maxAgeS: number | null;
}

export type SignInRefusal =
  | { readonly kind: 'wrong' }
  | { readonly kind: 'disabled' }
  | { readonly kind: 'wait'; readonly waitMs: number };

/** Who may sign in, and who is signed in. */
export class Accounts {
  private readonly people: People;
  private readonly setupToken: SetupToken;
  private readonly throttle: SignInThrottle;
  private readonly library: ReturnType<typeof createSessionLibrary>;

  constructor(private readonly options: AccountsOptions) {
    this.people = new People(options);
    this.setupToken = new SetupToken(options);
    this.throttle = new SignInThrottle(options.clock);
    this.library = createSessionLibrary({ ...options, secret: readAuthSecret(options.home) });
  }

  hasAnyone(): boolean {
    return this.people.count() > 0;
  }

  /** A new one-time link for the first person; the links before it no longer work. */
  renewSetupLink(): string {
    return `${this.options.origin}/setup?token=${this.setupToken.renew()}`;
  }

  /** Whether a set-up link with this token can still be used. */
  isSetupOpen(token: string): boolean {
    return !this.hasAnyone() && this.setupToken.isCurrent(token);
  }

  /**
   * Makes the first admin, once: of two that come with the same link one is refused.
   * @throws AppError `not_allowed` where the link is spent or replaced, `bad_input`
   */
  async createFirstAdmin(token: string, person: Omit<NewPerson, 'role'>): Promise<Person> {
    const parsed = parsePerson({ ...person, role: 'admin' });
    if (!this.isSetupOpen(token)) throw toSpentLinkError();
    const passwordHash = await hashPassword(parsed.password);
    return this.options.database.orm.transaction(() => {
      if (!this.isSetupOpen(token)) throw toSpentLinkError();
      this.setupToken.discard();
      return this.people.insert(parsed, passwordHash, { kind: 'person', name: parsed.email });
    });
  }

  /** Makes the first admin without a link, for unattended starts; does nothing where somebody is there already. */
  async ensureFirstAdmin(person: Pick<NewPerson, 'email' | 'password'>): Promise<void> {
    if (this.hasAnyone()) return;
    const parsed = parsePerson({ ...person, name: person.email, role: 'admin' });
    const passwordHash = await hashPassword(parsed.password);
    this.options.database.orm.transaction(() => {
      if (this.hasAnyone()) return;
      this.setupToken.discard();
      this.people.insert(parsed, passwordHash, { kind: 'console', name: 'console' });
    });
  }

  /** @param headers of the browser's request, for the session's record of where it was opened */
  async signIn(email: string, password: string, headers: Headers): Promise<Result<readonly SetCookie[], SignInRefusal>> {
    const address = email.trim().toLowerCase();
    const waitMs = this.throttle.waitMs(address);
    if (waitMs > 0) return err({ kind: 'wait', waitMs });
    try {
      const signedIn = await this.library.api.signInEmail({ body: { email: address, password }, headers, returnHeaders: true });
      this.throttle.succeeded(address);
      return ok(toSetCookies(signedIn.headers));
    } catch (cause) {
      if (!(cause instanceof APIError)) throw cause;
      if (cause.body?.code === 'BANNED_USER') return err({ kind: 'disabled' });
      this.throttle.failed(address);
      return err({ kind: 'wrong' });
    }
  }

  /** Ends the session that the request carries. @returns the cookies that take its cookie away */
  async signOut(headers: Headers): Promise<readonly SetCookie[]> {
    const signedOut = await this.library.api.signOut({ headers, returnHeaders: true });
    return toSetCookies(signedOut.headers);
  }

  /** Who a request comes from, null for nobody. */
  async principalFor(headers: Headers): Promise<Principal | null> {
    const found = await this.library.api.getSession({ headers });
    if (found === null || found.user.banned === true) return null;
    const actor: Actor = { kind: 'person', name: found.user.email };
    return { actor, role: roleSchema.parse(found.user.role), sessionRunId: this.options.sessionRun(`sign-in:${found.session.id}`, actor) };
  }

  list(): Person[] {
    return this.people.list();
  }

  /** @throws AppError `bad_input` by field */
  async create(person: NewPerson, actor: Actor): Promise<Person> {
    const parsed = parsePerson(person);
    const passwordHash = await hashPassword(parsed.password);
    return this.options.database.orm.transaction(() => this.people.insert(parsed, passwordHash, actor));
  }

  /** @throws AppError `conflict` where no admin would be left */
  setRole(id: string, role: Role, actor: Actor): void {
    this.people.setRole(id, role, actor);
  }

  /** Nobody signs in as this person any more, and their sessions end. @throws as `setRole` */
  disable(id: string, actor: Actor): void {
    this.people.disable(id, actor);
  }

  enable(id: string, actor: Actor): void {
    this.people.enable(id, actor);
  }

  /** Gives a person another password and ends their sessions. */
  async resetPassword(id: string, password: string, actor: Actor): Promise<void> {
    const checked = newPasswordSchema.safeParse(password);
    if (!checked.success) throw toInputError([{ path: ['password'], message: checked.error.issues[0]?.message ?? '' }]);
    this.people.replacePassword(id, await hashPassword(checked.data), actor);
  }
}

/** The text that session cookies are signed with; a file of its own, so that whoever loses it only signs people out. */
export const readAuthSecret = (home: string): string => readOrMakeKeyFile(join(home, 'auth.key')).toString('base64');

/** What a refused sign-in says; it does not tell whether the address is known. */
export function describeRefusal(refusal: SignInRefusal): string {
  switch (refusal.kind) {
    case 'wrong':
      return 'No one signs in with this address and password.';
    case 'disabled':
      return 'This account is disabled. An admin can enable it.';
    case 'wait':
      return `Too many wrong passwords. Try again in ${Math.ceil(refusal.waitMs / 1000)} s.`;
    default:
      return assertNever(refusal);
  }
}

function toSetCookies(headers: Headers): SetCookie[] {
  return headers
    .getSetCookie()
    .flatMap((header) => [...parseSetCookieHeader(header)])
    .map(([name, cookie]) => ({ name, value: cookie.value, maxAgeS: cookie['max-age'] ?? null }));
}

function parsePerson(person: NewPerson): NewPerson {
  const parsed = newPersonSchema.safeParse(person);
  if (!parsed.success) throw toInputError(parsed.error.issues);
  return parsed.data;
}

function toInputError(issues: readonly { path: PropertyKey[]; message: string }[]): AppError {
  const fields = issues.map((issue) => ({ field: issue.path.map(String).join('.'), message: issue.message }));
  return new AppError({ code: 'bad_input', message: 'Nobody was added or changed: see the fields below.', fields });
}

const toSpentLinkError = (): AppError =>
  new AppError({
    code: 'not_allowed',
    message: 'This set-up link was used already, or a newer one took its place.',
    remedy: 'Start the console again: while nobody can sign in it prints a new link.',
  });
