import { randomUUID } from 'node:crypto';
import { and, count, eq, ne } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { accounts, sessions, users } from '@/db/schema';
import type { AuditLog } from '@/lib/audit/node';
import { AppError, type Clock } from '@/lib/core';
import type { NewPerson } from './person-input';
import type { Actor } from '../principal';
import type { Role } from '../role';

/** Someone who may sign in, as the people page shows them. */
export interface Person {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: Role;
  readonly disabled: boolean;
  readonly addedAt: number;
}

interface PeopleOptions {
  readonly database: Database;
  readonly audit: AuditLog;
  readonly clock: Clock;
}

type PersonRow = typeof users.$inferSelect;

/**
 * The rows of people. They are written here and not through the library's own endpoints, because a change and its
 * audit row commit together, and because the last admin must be counted in the same transaction.
 */
export class People {
  constructor(private readonly options: PeopleOptions) {}

  count(): number {
    return this.options.database.orm.select({ people: count() }).from(users).get()?.people ?? 0;
  }

  list(): Person[] {
    return this.options.database.orm.select().from(users).orderBy(users.email).all().map(toPerson);
  }

  /**
   * Call it inside a transaction.
   * @throws AppError `bad_input` where the address is taken
   */
  insert(person: Omit<NewPerson, 'password'>, passwordHash: string, actor: Actor): Person {
    const { orm } = this.options.database;
    if (orm.select().from(users).where(eq(users.email, person.email)).get() !== undefined) {
      const message = `There is already somebody with the address ${person.email}.`;
      throw new AppError({ code: 'bad_input', message, fields: [{ field: 'email', message }] });
    }
    const at = new Date(this.options.clock.now());
    const row = { id: randomUUID(), email: person.email, name: person.name, role: person.role, createdAt: at, updatedAt: at };
    orm.insert(users).values({ ...row, emailVerified: true }).run();
    orm
      .insert(accounts)
      .values({ id: randomUUID(), accountId: row.id, providerId: 'credential', userId: row.id, password: passwordHash, createdAt: at, updatedAt: at })
      .run();
    this.options.audit.record(actor, { type: 'person.added', subject: `person:${person.email}`, details: { role: person.role } });
    return { ...person, id: row.id, disabled: false, addedAt: at.getTime() };
  }

  /** @throws AppError `not_found`, or `conflict` where no admin would be left */
  setRole(id: string, role: Role, actor: Actor): void {
    this.change(id, (person) => {
      if (person.role === role) return;
      if (role !== 'admin') this.requireAnotherAdmin(person);
      this.update(id, { role });
      this.record(actor, 'person.role_changed', person, { from: person.role, to: role });
    });
  }

  /** Ends the person's sessions as well. @throws as `setRole` */
  disable(id: string, actor: Actor): void {
    this.change(id, (person) => {
      if (person.banned === true) return;
      this.requireAnotherAdmin(person);
      this.update(id, { banned: true });
      this.endSessions(id);
      this.record(actor, 'person.disabled', person, {});
    });
  }

  /** @throws AppError `not_found` */
  enable(id: string, actor: Actor): void {
    this.change(id, (person) => {
      if (person.banned !== true) return;
      this.update(id, { banned: false, banReason: null, banExpires: null });
      this.record(actor, 'person.enabled', person, {});
    });
  }

  /** Ends the person's sessions as well: whoever knew the old password is out. @throws AppError `not_found` */
  replacePassword(id: string, passwordHash: string, actor: Actor): void {
    this.change(id, (person) => {
      const changed = this.options.database.orm
        .update(accounts)
        .set({ password: passwordHash, updatedAt: new Date(this.options.clock.now()) })
        .where(and(eq(accounts.userId, id), eq(accounts.providerId, 'credential')))
        .run();
      if (changed.changes === 0) throw new AppError({ code: 'conflict', message: `${person.email} does not sign in with a password.` });
      this.endSessions(id);
      this.record(actor, 'person.password_reset', person, {});
    });
  }

  private change(id: string, apply: (person: PersonRow) => void): void {
    const { orm } = this.options.database;
    orm.transaction(() => {
      const person = orm.select().from(users).where(eq(users.id, id)).get();
      if (person === undefined) throw new AppError({ code: 'not_found', message: 'This person is no longer there. Reload the page.' });
      apply(person);
    });
  }

  private update(id: string, change: Partial<PersonRow>): void {
    this.options.database.orm
      .update(users)
      .set({ ...change, updatedAt: new Date(this.options.clock.now()) })
      .where(eq(users.id, id))
      .run();
  }

  private endSessions(id: string): void {
    this.options.database.orm.delete(sessions).where(eq(sessions.userId, id)).run();
  }

  /** The console is never left with nobody who can let others in. */
  private requireAnotherAdmin(person: PersonRow): void {
    if (person.role !== 'admin' || person.banned === true) return;
    const others = this.options.database.orm
      .select({ id: users.id, banned: users.banned })
      .from(users)
      .where(and(eq(users.role, 'admin'), ne(users.id, person.id)))
      .all();
    if (others.some((other) => other.banned !== true)) return;
    throw new AppError({
      code: 'conflict',
      message: `${person.email} is the only admin who can sign in.`,
      remedy: 'Make somebody else an admin first.',
    });
  }

  private record(actor: Actor, type: string, person: PersonRow, details: Record<string, string>): void {
    this.options.audit.record(actor, { type, subject: `person:${person.email}`, details });
  }
}

const toPerson = (row: PersonRow): Person => ({
  id: row.id,
  email: row.email,
  name: row.name,
  role: row.role,
  disabled: row.banned === true,
  addedAt: row.createdAt.getTime(),
});
