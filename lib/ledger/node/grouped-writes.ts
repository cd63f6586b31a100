import type BetterSqlite3 from 'better-sqlite3';

interface Group {
  readonly stored: Promise<void>;
  settle(error?: Error): void;
}

/**
 * Puts what is written in one turn of the event loop into one transaction: a commit costs several times what the
 * rows do, and many calls end in the same turn. Each write is whole or not there, whatever becomes of the others.
 */
export class GroupedWrites {
  private group: Group | null = null;
  private readonly begin: BetterSqlite3.Statement;
  private readonly end: BetterSqlite3.Statement;
  private readonly undo: BetterSqlite3.Statement;

  constructor(private readonly sqlite: BetterSqlite3.Database) {
    this.begin = sqlite.prepare('BEGIN IMMEDIATE');
    this.end = sqlite.prepare('COMMIT');
    this.undo = sqlite.prepare('ROLLBACK');
  }

  /** Writes; what is read on this connection afterwards finds it at once, and `commit` or the turn's end stores it. */
  write<Value>(write: () => Value): Value {
    if (this.group === null && !this.sqlite.inTransaction) {
      this.begin.run();
      this.group = openGroup();
      setImmediate(() => {
        this.commitAtEndOfTurn();
      });
    }
    return this.sqlite.transaction(write)();
  }

  /**
   * Stores what was written so far, at once.
   * @throws where the data file cannot be written: what was gathered is undone
   */
  commit(): void {
    const { group } = this;
    if (group === null) return;
    this.group = null;
    try {
      this.end.run();
      group.settle();
    } catch (error) {
      if (this.sqlite.inTransaction) this.undo.run();
      const failure = error instanceof Error ? error : new Error(String(error));
      group.settle(failure);
      throw failure;
    }
  }

  /** Settles when what was written so far is stored, or could not be. */
  stored(): Promise<void> {
    return this.group?.stored ?? Promise.resolve();
  }

  private commitAtEndOfTurn(): void {
    try {
      this.commit();
    } catch {
      // Told by `stored` to those who wait for it.
    }
  }
}

function openGroup(): Group {
  let settle: Group['settle'] = () => undefined;
  const stored = new Promise<void>((resolve, reject) => {
    settle = (error) => {
      if (error === undefined) resolve();
      else reject(error);
    };
  });
  // Whoever waits for it is told; that nobody does is no failure of its own.
  stored.catch(() => undefined);
  return { stored, settle };
}
