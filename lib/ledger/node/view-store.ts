import { and, asc, count, eq, ne, or } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { ledgerViews } from '@/db/schema';
import type { AuditWriter } from '@/lib/audit/node';
import { may, type Principal } from '@/lib/auth';
import { AppError, systemClock, viewIds, type Clock, type ViewId } from '@/lib/core';
import { parseLedgerFilter, toLedgerSearch, type SavedView } from '..';
import { viewIdSchema } from './id-schemas';

interface ViewChange {
  readonly name?: string;
  readonly shared?: boolean;
}

/** Far beyond what a menu can show. */
const MAX_OWN_VIEWS = 200;

/** The saved views of the ledger: everybody's own, and those that are shared. */
export class ViewStore {
  private readonly database: Database;
  private readonly clock: Clock;

  constructor(options: { readonly database: Database; readonly clock?: Clock }) {
    this.database = options.database;
    this.clock = options.clock ?? systemClock;
  }

  /** Somebody's own and the shared ones, by name. */
  list(principal: Principal): SavedView[] {
    const rows = this.database.orm
      .select()
      .from(ledgerViews)
      .where(or(eq(ledgerViews.ownerName, principal.actor.name), eq(ledgerViews.shared, true)))
      .orderBy(asc(ledgerViews.name))
      .all();
    return rows.map(({ id, name, search, ownerName, shared }) => ({ id: viewIdSchema.parse(id), name, search, ownerName, shared }));
  }

  /** @throws AppError `bad_input` where the filter cannot be read or is none; `conflict` where the name is taken */
  save(input: { readonly name: string; readonly search: string; readonly shared: boolean }, principal: Principal, audit: AuditWriter): ViewId {
    const { filter, errors } = parseLedgerFilter(new URLSearchParams(input.search));
    const search = toLedgerSearch(filter).toString();
    const [first] = errors;
    if (first !== undefined) throw new AppError({ code: 'bad_input', message: first.message });
    if (search === '') throw new AppError({ code: 'bad_input', message: 'There is no filter to save.', remedy: 'Set one first, then give it a name.' });
    if (input.shared) requireShare(principal);
    const id = viewIds.create();
    const { orm } = this.database;
    orm.transaction((tx) => {
      const own = tx.select({ count: count() }).from(ledgerViews).where(eq(ledgerViews.ownerName, principal.actor.name)).get();
      if ((own?.count ?? 0) >= MAX_OWN_VIEWS) {
        throw new AppError({ code: 'conflict', message: `You have ${MAX_OWN_VIEWS} saved views, which is the most.`, remedy: 'Delete one that you no longer use.' });
      }
      this.requireFreeName(input.name, principal.actor.name, null);
      tx.insert(ledgerViews).values({ id, ownerName: principal.actor.name, name: input.name, search, shared: input.shared, changedAt: this.clock.now() }).run();
      audit.record({ type: 'view.saved', subject: `view:${id}`, details: { name: input.name, shared: input.shared } });
    });
    return id;
  }

  /** Renames or shares one of the principal's own. @throws AppError `not_found`, `conflict`, `not_allowed` */
  change(id: ViewId, change: ViewChange, principal: Principal, audit: AuditWriter): void {
    if (change.shared === true) requireShare(principal);
    this.database.orm.transaction((tx) => {
      const view = this.find(id);
      if (view?.ownerName !== principal.actor.name) throw noView();
      if (change.name !== undefined) this.requireFreeName(change.name, principal.actor.name, id);
      tx.update(ledgerViews).set({ ...change, changedAt: this.clock.now() }).where(eq(ledgerViews.id, id)).run();
      const after = { name: change.name ?? view.name, shared: change.shared ?? view.shared };
      audit.record({ type: 'view.changed', subject: `view:${id}`, details: after });
    });
  }

  /** Removes one of the principal's own, or a shared one for an admin. @throws AppError `not_found` */
  remove(id: ViewId, principal: Principal, audit: AuditWriter): void {
    this.database.orm.transaction((tx) => {
      const view = this.find(id);
      const isOwn = view?.ownerName === principal.actor.name;
      if (view === undefined || !(isOwn || (view.shared && may(principal.role, 'ledger.manage')))) throw noView();
      tx.delete(ledgerViews).where(eq(ledgerViews.id, id)).run();
      audit.record({ type: 'view.deleted', subject: `view:${id}`, details: { name: view.name, owner: view.ownerName } });
    });
  }

  private find(id: ViewId) {
    return this.database.orm.select().from(ledgerViews).where(eq(ledgerViews.id, id)).get();
  }

  private requireFreeName(name: string, ownerName: string, except: ViewId | null): void {
    const taken = and(eq(ledgerViews.ownerName, ownerName), eq(ledgerViews.name, name), except === null ? undefined : ne(ledgerViews.id, except));
    if (this.database.orm.select({ id: ledgerViews.id }).from(ledgerViews).where(taken).get() === undefined) return;
    const message = `You have a view of the name "${name}" already.`;
    throw new AppError({ code: 'conflict', message, fields: [{ field: 'name', message }] });
  }
}

function requireShare(principal: Principal): void {
  if (may(principal.role, 'ledger.share_views')) return;
  throw new AppError({ code: 'not_allowed', message: 'An analyst can share views; your role keeps them to itself.' });
}

/** The same for one that is not there and one that is somebody else's. */
const noView = (): AppError => new AppError({ code: 'not_found', message: 'There is no such saved view of yours.', remedy: 'Reload the page: it may have been deleted.' });
