import type { Database } from '@/db/client';
import type { Actor, Principal } from '@/lib/auth';
import { err, ok, type Clock, type JsonObject, type Result } from '@/lib/core';
import type { LiveMessage } from '@/lib/live';
import type { ListedTool } from '@/lib/manifests';
import { PinStore } from '@/lib/manifests/node';
import { checkEffectiveLimits, parseServerEntry, type ServerEntry, type ServerKey, type ServerRecord } from '..';
import { BUNDLED_KEY, hasSameCommand, markSeeded, toBundledEntry, wasSeeded, type BundledCommand } from './bundled';
import { changedFieldsOf } from './changed-fields';
import type { ServerDirectory } from './directory';
import type { SaveProblem } from './save-problem';
import { ServerRows } from './server-rows';

export interface ServerStoreOptions {
  readonly database: Database;
  readonly audit: { record(actor: Actor, event: { type: string; subject: string; details: JsonObject }): void };
  readonly bus: { publish(message: LiveMessage): void };
  readonly clock: Clock;
  /** null where the installation has none. */
  readonly bundled: BundledCommand | null;
}

/** What a person accepted: the tools as they are listed now, and which of them are exposed (null: all). */
export interface Review {
  readonly tools: readonly string[] | null;
  readonly listed: readonly ListedTool[];
}

export type Saved = Result<ServerRecord, SaveProblem>;

const CONSOLE: Actor = { kind: 'console', name: 'console' };

/**
 * The entries of the data directory. Every change is checked as a whole, commits together with its audit event (the
 * names of what changed, never values) and is then announced. Deleting keeps the calls, pins and names of a server.
 */
export class ServerStore implements ServerDirectory {
  private readonly rows: ServerRows;
  private readonly pins: PinStore;

  constructor(private readonly options: ServerStoreOptions) {
    this.rows = new ServerRows(options.database);
    this.pins = new PinStore(options.database);
  }

  list(): readonly ServerRecord[] {
    return this.rows.list();
  }

  find(key: ServerKey): ServerRecord | undefined {
    return this.rows.find(key);
  }

  /** Call once at start: seeds the bundled server on a new install; later only its command follows the installation. */
  ensureBundled(): void {
    const { database, bundled, clock } = this.options;
    if (!bundled) return;
    const entry = toBundledEntry(bundled);
    const present = this.rows.find(BUNDLED_KEY);
    if (!wasSeeded(database)) {
      this.inTransaction(() => {
        if (!markSeeded(database, clock.now()) || this.rows.find(BUNDLED_KEY)) return;
        this.write(this.toNewRecord(entry, { bundled: true }), CONSOLE, 'server.added', []);
      });
    } else if (present?.bundled && present.entry.transport === 'stdio' && !hasSameCommand(present.entry, entry)) {
      const refreshed = { ...present.entry, command: entry.command, args: entry.args };
      this.inTransaction(() => this.write({ ...present, entry: refreshed }, CONSOLE, 'server.saved', ['command', 'args']));
    }
  }

  /**
   * Adds a server. What a person adds exposes nothing until its tools were reviewed: `review` is what a first test
   * showed and the person ticked. In the place of the bundled server its key is free.
   */
  create(input: unknown, principal: Principal, review?: Review): Saved {
    const parsed = parseForSaving(input);
    if (!parsed.ok) return parsed;
    const { actor } = principal;
    const unreviewed = actor.kind === 'person' && parsed.value.tools === null && review === undefined;
    const entry: ServerEntry = unreviewed ? { ...parsed.value, tools: [] } : parsed.value;
    return this.change(() => {
      const present = this.rows.find(entry.key);
      if (present && !present.bundled) {
        return invalid('key', `A server with the key ${entry.key} is there already. Write another key, or edit that server.`);
      }
      const added = this.write(this.toNewRecord(entry, { replaces: present }), actor, 'server.added', []);
      return ok(review ? this.review(added, review, actor) : added);
    });
  }

  /** Saves over the revision that the person read; over a newer one it is refused and both are returned. */
  save(input: unknown, expectedRevision: number, principal: Principal): Saved {
    const parsed = parseForSaving(input);
    if (!parsed.ok) return parsed;
    const entry = parsed.value;
    return this.changePresent(entry.key, (present) =>
      present.revision === expectedRevision
        ? ok(this.edit(present, entry, principal.actor, 'server.saved'))
        : err({ kind: 'conflict', current: present, yours: entry }),
    );
  }

  /** Returns what was deleted. */
  delete(key: ServerKey, principal: Principal): Saved {
    return this.changePresent(key, (present) => {
      this.rows.remove(key);
      this.record(principal.actor, 'server.deleted', key, []);
      return ok(present);
    });
  }

  /** A copy under another key, switched off and with nothing exposed: nobody has reviewed it. */
  duplicate(key: ServerKey, newKey: string, principal: Principal): Saved {
    const present = this.rows.find(key);
    if (!present) return missing(key);
    const { entry } = present;
    const label = entry.label === entry.key ? newKey : `${entry.label} (copy)`.slice(0, 200);
    return this.create({ ...entry, key: newKey, label, enabled: false, tools: [], aliases: {} }, principal);
  }

  setEnabled(key: ServerKey, enabled: boolean, principal: Principal): Saved {
    const type = enabled ? 'server.enabled' : 'server.disabled';
    return this.changePresent(key, (present) =>
      ok(this.edit(present, { ...present.entry, enabled }, principal.actor, type)),
    );
  }

  /** A person accepts the tools as they are: takes their pins and keeps which of them are exposed. */
  markReviewed(key: ServerKey, review: Review, principal: Principal): Saved {
    return this.changePresent(key, (present) => ok(this.review(present, review, principal.actor)));
  }

  /** Brings the bundled server back after it was deleted. */
  restoreBundled(principal: Principal): Saved {
    const { bundled } = this.options;
    if (!bundled) return err({ kind: 'missing', message: 'This installation has no bundled server.' });
    return this.change(() => {
      const present = this.rows.find(BUNDLED_KEY);
      if (present?.bundled) return ok(present);
      if (present) {
        return invalid('key', `Another server has the key ${BUNDLED_KEY} and stands in its place. Delete that one first.`);
      }
      const record = this.toNewRecord(toBundledEntry(bundled), { bundled: true });
      return ok(this.write(record, principal.actor, 'server.restored', []));
    });
  }

  private review(present: ServerRecord, review: Review, actor: Actor): ServerRecord {
    const reviewedAt = this.options.clock.now();
    const tools = review.tools === null ? null : [...review.tools];
    this.pins.take(present.entry.key, review.listed, actor.name, reviewedAt);
    const revision = present.revision + 1;
    const record = { ...present, entry: { ...present.entry, tools }, revision, savedAt: reviewedAt, reviewedAt };
    return this.write(record, actor, 'server.reviewed', changedFieldsOf(present.entry, record.entry));
  }

  /** A save that changes nothing leaves the revision, so that it is no newer save to anybody. */
  private edit(present: ServerRecord, entry: ServerEntry, actor: Actor, type: string): ServerRecord {
    const changed = changedFieldsOf(present.entry, entry);
    if (changed.length === 0) return present;
    const bundled = present.bundled && hasSameCommand(present.entry, entry);
    const record = { ...present, entry, bundled, revision: present.revision + 1, savedAt: this.options.clock.now() };
    return this.write(record, actor, type, changed);
  }

  private toNewRecord(entry: ServerEntry, options: { bundled?: boolean; replaces?: ServerRecord | undefined }): ServerRecord {
    return {
      entry,
      revision: (options.replaces?.revision ?? 0) + 1,
      savedAt: this.options.clock.now(),
      reviewedAt: null,
      source: 'stored',
      bundled: options.bundled ?? false,
    };
  }

  private write(record: ServerRecord, actor: Actor, type: string, changed: readonly string[]): ServerRecord {
    this.rows.put(record);
    this.record(actor, type, record.entry.key, changed);
    return record;
  }

  private record(actor: Actor, type: string, key: ServerKey, changed: readonly string[]): void {
    const details: JsonObject = changed.length > 0 ? { fields: [...changed] } : {};
    this.options.audit.record(actor, { type, subject: `server:${key}`, details });
  }

  private changePresent(key: ServerKey, work: (present: ServerRecord) => Saved): Saved {
    return this.change(() => {
      const present = this.rows.find(key);
      return present ? work(present) : missing(key);
    });
  }

  private change(work: () => Saved): Saved {
    const saved = this.inTransaction(work);
    if (saved.ok) {
      this.options.bus.publish({ type: 'servers.changed' });
      this.options.bus.publish({ type: 'server.changed', key: saved.value.entry.key });
    }
    return saved;
  }

  /** Begun as a write, so that what was read inside is still so when it is written, whatever another process does. */
  private inTransaction<T>(work: () => T): T {
    return this.options.database.sqlite.transaction(work).immediate();
  }
}

const invalid = (field: string, message: string): Saved => err({ kind: 'invalid', fields: [{ field, message }] });

const missing = (key: ServerKey): Saved =>
  err({ kind: 'missing', message: `There is no server with the key ${key}: it may have been deleted meanwhile.` });

function parseForSaving(input: unknown): Result<ServerEntry, SaveProblem> {
  const parsed = parseServerEntry(input);
  const fields = parsed.ok ? checkEffectiveLimits(parsed.value.limits) : parsed.error;
  return parsed.ok && fields.length === 0 ? parsed : err({ kind: 'invalid', fields });
}
