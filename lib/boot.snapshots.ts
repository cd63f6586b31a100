import type { ServerSnapshot } from '@/lib/manifests';
import type { StoredSnapshot } from '@/lib/manifests/node';
import type { ExposedNames } from '@/lib/permissions/node';
import type { SnapshotSink } from '@/lib/pool/node';
import type { ServerKey } from '@/lib/servers';
import type { ServerDirectory } from '@/lib/servers/node';

/** What the servers of a `--config` file offer: not kept, their keys may be those of stored servers. */
export class MemorySnapshots implements SnapshotSink {
  private readonly snapshots = new Map<ServerKey, StoredSnapshot>();

  find(key: ServerKey): StoredSnapshot | undefined {
    return this.snapshots.get(key);
  }

  save(key: ServerKey, fingerprint: string, snapshot: ServerSnapshot): void {
    this.snapshots.set(key, { fingerprint, snapshot });
  }
}

/** Gives the tools of each list that was read their exposed names, so that they have them before anybody asks. */
export class NamingSnapshots implements SnapshotSink {
  constructor(
    private readonly kept: SnapshotSink,
    private readonly names: ExposedNames,
    private readonly servers: ServerDirectory,
  ) {}

  find(key: ServerKey): StoredSnapshot | undefined {
    return this.kept.find(key);
  }

  save(key: ServerKey, fingerprint: string, snapshot: ServerSnapshot): void {
    const record = this.servers.find(key);
    if (record !== undefined) {
      const tools = snapshot.toolList.tools.map((tool) => tool.name);
      this.names.learn(record.entry, tools);
    }
    this.kept.save(key, fingerprint, snapshot);
  }
}
