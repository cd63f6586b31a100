import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AuditLog } from '@/lib/audit/node';
import type { Principal, Role } from '@/lib/auth';
import { systemClock } from '@/lib/core';
import { openTestLedger, type TestLedger } from './testing';
import { ViewStore } from './view-store';

let ledger: TestLedger;
let views: ViewStore;
let audit: AuditLog;
beforeEach(() => {
  ledger = openTestLedger();
  views = new ViewStore({ database: ledger.database });
  audit = new AuditLog({ database: ledger.database, clock: systemClock });
});
afterEach(() => {
  ledger.close();
});

const as = (name: string, role: Role = 'analyst'): Principal => ({ actor: { kind: 'person', name }, role, sessionRunId: ledger.runId });
const save = (name: string, principal: Principal, shared = false) => views.save({ name, search: 'outcome=timeout', shared }, principal, audit.writerFor(principal.actor));
const names = (principal: Principal) => views.list(principal).map(({ name }) => name);

describe('saved views', () => {
  it("are one's own until they are shared", () => {
    const [ana, ben] = [as('ana'), as('ben', 'viewer')];
    const id = save('slow', ana);
    expect([names(ana), names(ben)]).toEqual([['slow'], []]);
    views.change(id, { shared: true, name: 'slow ones' }, ana, audit.writerFor(ana.actor));
    expect(views.list(ben)).toEqual([{ id, name: 'slow ones', search: 'outcome=timeout', ownerName: 'ana', shared: true }]);
    expect(audit.list({ before: null, limit: 10 }).records.map(({ type }) => type)).toEqual(['view.changed', 'view.saved']);
  });

  it('keep names apart for each owner, and say which is taken', () => {
    save('slow', as('ana'));
    save('slow', as('ben'));
    expect(() => save('slow', as('ana'))).toThrow('"slow" already');
  });

  it('are changed by their owner alone; an admin deletes shared ones of others', () => {
    const [ana, ben, root] = [as('ana'), as('ben'), as('root', 'admin')];
    const own = save('own', ana);
    const shared = save('shared', ana, true);
    for (const act of [
      () => views.change(shared, { name: 'x' }, root, audit.writerFor(root.actor)),
      () => views.remove(shared, ben, audit.writerFor(ben.actor)),
      () => views.remove(own, root, audit.writerFor(root.actor)),
    ]) expect(act).toThrow('no such saved view');
    views.remove(shared, root, audit.writerFor(root.actor));
    expect(names(ana)).toEqual(['own']);
  });

  it('are not shared by those whose role may not, and hold a filter that can be read', () => {
    const viewer = as('vic', 'viewer');
    expect(() => save('x', viewer, true)).toThrow('analyst');
    expect(names(viewer)).toEqual([]);
    const writer = audit.writerFor(viewer.actor);
    expect(() => views.save({ name: 'x', search: 'outcome=fine', shared: false }, viewer, writer)).toThrow('no outcome');
    expect(() => views.save({ name: 'x', search: '', shared: false }, viewer, writer)).toThrow('no filter');
  });
});
