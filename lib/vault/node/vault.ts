import { join } from 'node:path';
import { eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { vaultSecrets } from '@/db/schema';
import type { AuditLog } from '@/lib/audit/node';
import type { Principal } from '@/lib/auth';
import { AppError, type Clock } from '@/lib/core';
import { secretNameSchema, secretValueSchema } from '../secret-name';
import { readOrMakeKeyFile } from './key-file';
import { seal, unseal } from './seal';
import type { SecretRedactor } from './secret-redactor';

interface VaultOptions {
  readonly database: Database;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly redactor: SecretRedactor;
  /** The data directory, where the key file stands. */
  readonly home: string;
  /** The key as the environment gives it; null takes the key file. */
  readonly key: string | null;
}

/** What a page may know of a secret. */
export interface SecretFacts {
  readonly name: string;
  readonly changedAt: number;
  readonly changedBy: string;
  /** False where the present key does not open it. */
  readonly readable: boolean;
}

/** Secrets, encrypted at rest. Values go to servers and to the redactor, never to a page. */
export class Vault {
  private key: Buffer | null = null;

  constructor(private readonly options: VaultOptions) {}

  names(): SecretFacts[] {
    return this.rows().map(({ name, changedAt, changedBy, sealed }) => ({
      name,
      changedAt,
      changedBy,
      readable: unseal(this.requireKey(), name, sealed) !== undefined,
    }));
  }

  /**
   * Writes or replaces a secret.
   * @throws AppError `bad_input` for a name or value that is none, `conflict` where the key is not the one that the
   * other secrets were sealed with
   */
  set(name: string, value: string, principal: Principal): void {
    this.requireValid(name, value);
    const { database, audit, clock, redactor } = this.options;
    const sealed = seal(this.requireKey(), name, value);
    database.orm.transaction(() => {
      const rows = this.rows();
      const locked = rows.find((row) => unseal(this.requireKey(), row.name, row.sealed) === undefined);
      if (locked !== undefined) throw this.toWrongKeyError(locked.name, 'conflict');
      const change = { sealed, changedAt: clock.now(), changedBy: principal.actor.name };
      database.orm.insert(vaultSecrets).values({ name, ...change }).onConflictDoUpdate({ target: vaultSecrets.name, set: change }).run();
      const replaced = rows.some((row) => row.name === name);
      audit.record(principal.actor, { type: replaced ? 'secret.replaced' : 'secret.added', subject: `secret:${name}`, details: {} });
    });
    redactor.learn([value]);
  }

  /** @throws AppError `not_found` */
  clear(name: string, principal: Principal): void {
    const { database, audit } = this.options;
    database.orm.transaction(() => {
      const removed = database.orm.delete(vaultSecrets).where(eq(vaultSecrets.name, name)).run();
      if (removed.changes === 0) throw new AppError({ code: 'not_found', message: `There is no secret ${name} in the vault.` });
      audit.record(principal.actor, { type: 'secret.cleared', subject: `secret:${name}`, details: {} });
    });
  }

  /**
   * The value of a secret, undefined where there is none of that name.
   * @throws AppError `unavailable` where the key does not open it
   */
  find(name: string): string | undefined {
    const row = this.options.database.orm.select().from(vaultSecrets).where(eq(vaultSecrets.name, name)).get();
    if (row === undefined) return undefined;
    const value = unseal(this.requireKey(), name, row.sealed);
    if (value === undefined) throw this.toWrongKeyError(name, 'unavailable');
    this.options.redactor.learn([value]);
    return value;
  }

  /** Every value that the key opens, for the redactor. */
  values(): string[] {
    return this.rows().flatMap(({ name, sealed }) => unseal(this.requireKey(), name, sealed) ?? []);
  }

  private rows() {
    return this.options.database.orm.select().from(vaultSecrets).orderBy(vaultSecrets.name).all();
  }

  private requireValid(name: string, value: string): void {
    const checks = [
      { field: 'name', check: secretNameSchema.safeParse(name) },
      { field: 'value', check: secretValueSchema.safeParse(value) },
    ];
    const fields = checks.flatMap(({ field, check }) => check.error?.issues.map(({ message }) => ({ field, message })) ?? []);
    if (fields.length > 0) throw new AppError({ code: 'bad_input', message: 'The secret was not saved.', fields });
  }

  /** Read when it is first needed: a console without secrets has no key file. */
  private requireKey(): Buffer {
    this.key ??= this.options.key === null ? this.readKeyFile() : fromText(this.options.key);
    return this.key;
  }

  private readKeyFile(): Buffer {
    try {
      return readOrMakeKeyFile(this.keyFile());
    } catch (cause) {
      throw new AppError({
        code: 'unavailable',
        message: `The key of the vault, ${this.keyFile()}, cannot be read.`,
        remedy: 'Put the file back as it was (a backup has it), or give the key in SIGNALBOX_VAULT_KEY.',
        cause,
      });
    }
  }

  private readonly keyFile = () => join(this.options.home, 'vault.key');

  private toWrongKeyError(name: string, code: 'conflict' | 'unavailable'): AppError {
    const place = this.options.key === null ? this.keyFile() : 'SIGNALBOX_VAULT_KEY';
    return new AppError({
      code,
      message: `The secret ${name} was sealed with another key than the one in ${place}. Nothing was changed.`,
      remedy: `Start with the key that sealed it, or clear ${name} (Settings, Vault) and write it anew.`,
    });
  }
}

const fromText = (key: string): Buffer => Buffer.from(key, /^[0-9a-fA-F]{64}$/.test(key) ? 'hex' : 'base64');
