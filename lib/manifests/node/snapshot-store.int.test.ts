import { expect, it } from 'vitest';
import { openTestDatabase } from '@/db/testing';
import { toServerKey } from '@/lib/servers';
import { mendToolList, parseManifest, type ServerSnapshot } from '..';
import { SnapshotStore } from '.';

it('keeps what a server offered, whole, until it is read anew', () => {
  const database = openTestDatabase();
  try {
    const store = new SnapshotStore(database);
    const key = toServerKey('fs');
    const snapshot: ServerSnapshot = {
      readAt: 5,
      toolList: mendToolList([{ name: 'a', description: 'x', inputSchema: { type: 'object', $defs: { '~1': {} } }, annotations: { readOnlyHint: true }, _meta: { z: 1 } }, { name: 'b' }]),
      manifest: parseManifest({ tools: [{ name: 'a', available: false, verify_with: ['c'] }] }),
      manifestProblem: null,
      resources: [{ uri: 'u', name: 'n', title: null, description: null, mimeType: null, sizeBytes: 1 }],
      resourceTemplates: [{ uriTemplate: 'u', name: 'n', description: null, mimeType: null }],
      prompts: [{ name: 'p', title: null, description: null, arguments: [{ name: 'q', description: null, required: true }] }],
    };
    expect(store.find(key)).toBeUndefined();
    store.save(key, 'f1', snapshot);
    expect(store.find(key)).toEqual({ fingerprint: 'f1', snapshot });
    store.save(key, 'f2', { ...snapshot, readAt: 6, manifest: null });
    expect(store.find(key)).toMatchObject({ fingerprint: 'f2', snapshot: { readAt: 6, manifest: null } });
    database.sqlite.exec("UPDATE server_snapshots SET snapshot = '{}'");
    expect(store.find(key)).toBeUndefined();
  } finally {
    database.close();
  }
});
