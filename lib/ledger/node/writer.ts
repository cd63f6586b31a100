import { asc, eq } from 'drizzle-orm';
import type { Database } from '@/db/client';
import { ledgerEvents } from '@/db/schema';
import { isFinal, toConsoleError, type CallError } from '@/lib/calls';
import { AppError, systemClock, toEntryId, type Clock, type JsonObject } from '@/lib/core';
import type { BlobStore } from '@/lib/files/node';
import type { LiveMessage } from '@/lib/live';
import { applyEvent, foldEntry, openEntry, toRow, type CallOpening, type LedgerEntry, type LedgerEvent } from '..';
import { parseStoredEvent } from './event-rows';
import { GroupedWrites } from './grouped-writes';
import { isRunning, thisProcess, type ProcessIdentity } from './owner';
import { Payloads } from './payloads';
import { scrubEvent, type Scrubber } from './scrub';
import { prepareStatements, type LedgerStatements } from './statements';
import { TextQueue } from './text-queue';

export interface LedgerWriterOptions {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly bus: { publish(message: LiveMessage): void };
  readonly redactor: Scrubber;
  readonly clock?: Clock;
}

/** A call that begins; its number in the run is given by the writer. */
export type OpeningRequest = Omit<CallOpening, 'number' | 'arguments'> & { readonly arguments: JsonObject };

export interface OpenedEntry {
  readonly sequence: number;
  readonly entryId: string;
  readonly cursor: number;
  /** The call was on record already: nothing was written. */
  readonly existed: boolean;
}

/**
 * The only one who adds to the ledger. An event and the entry that it changes are written in one transaction. What
 * is written in one turn of the event loop is stored together: at the turn's end, or by `commit` where it must be on
 * record before anything else happens.
 */
export class LedgerWriter {
  readonly payloads: Payloads;
  private readonly database: Database;
  private readonly bus: LedgerWriterOptions['bus'];
  private readonly redactor: Scrubber;
  private readonly clock: Clock;
  private readonly owner: ProcessIdentity = thisProcess();
  private readonly statements: LedgerStatements;
  private readonly writes: GroupedWrites;
  private readonly texts: TextQueue;
  /** Entries of this process that have not ended, so that an event needs no reading back. */
  private readonly unfinished = new Map<number, LedgerEntry>();

  constructor(options: LedgerWriterOptions) {
    this.database = options.database;
    this.bus = options.bus;
    this.redactor = options.redactor;
    this.clock = options.clock ?? systemClock;
    this.payloads = new Payloads(options);
    this.statements = prepareStatements(options.database.sqlite);
    this.writes = new GroupedWrites(options.database.sqlite);
    this.texts = new TextQueue(options);
  }

  /**
   * Puts a call on record before anything else is done for it. The same call id again finds the first entry.
   * @throws AppError `not_found` where the run does not exist
   */
  open(request: OpeningRequest): OpenedEntry {
    const known = this.findCall(request.callId);
    if (known !== undefined) return known;
    const stored = this.payloads.storeSync(request.arguments);
    const at = this.clock.now();
    const { opened, entry } = this.writes.write((): { opened: OpenedEntry; entry: LedgerEntry | null } => {
      const raced = this.findCall(request.callId);
      if (raced !== undefined) return { opened: raced, entry: null };
      const number = this.statements.countInRun(request.runId);
      if (number === undefined) throw new AppError({ code: 'not_found', message: 'The run that the call belongs to does not exist.' });
      const opening: CallOpening = { ...request, number, arguments: stored };
      const sequence = this.statements.insertEntry(opening, at, this.owner);
      const cursor = this.statements.insertEvent(sequence, { type: 'call.opened', at, opening });
      const entry = openEntry(sequence, opening, at);
      this.statements.updateEntry(entry, cursor);
      this.statements.holdBlobs(entry);
      return { opened: { sequence, entryId: entry.entryId, cursor, existed: false }, entry };
    });
    if (entry !== null) {
      this.unfinished.set(entry.sequence, entry);
      this.texts.note(entry);
      this.publish(entry, opened.cursor);
    }
    return opened;
  }

  /** Adds what happened to a call, in one transaction however many events it is. */
  append(sequence: number, ...events: readonly LedgerEvent[]): void {
    if (events.length === 0) return;
    const kept = events.map((event) => scrubEvent(event, this.redactor));
    const [entry, cursor] = this.writes.write((): [LedgerEntry, number] => {
      const before = this.unfinished.get(sequence) ?? this.requireEntry(sequence);
      const after = kept.reduce(applyEvent, before);
      const last = kept.reduce((_, event) => this.statements.insertEvent(sequence, event), 0);
      this.statements.updateEntry(after, last);
      if (hasOtherContents(before, after)) {
        this.statements.holdBlobs(after);
      }
      this.texts.note(after);
      return [after, last];
    });
    if (isFinal(entry.outcome)) this.unfinished.delete(sequence);
    else this.unfinished.set(sequence, entry);
    this.publish(entry, cursor);
  }

  /**
   * Stores at once what was written so far.
   * @throws where the data file cannot be written: nothing of it is on record then
   */
  commit(): void {
    this.writes.commit();
  }

  /** Settles when what was written so far is stored; rejects where it could not be. */
  stored(): Promise<void> {
    return this.writes.stored();
  }

  /** Stores what waits, the words for the search included; to be called before the data file is closed. */
  close(): void {
    this.writes.commit();
    this.texts.flush();
  }

  /** Brings the words of what was written into the search, which is else a moment behind. */
  indexTexts(): void {
    this.texts.flush();
  }

  /**
   * Ends the calls whose process is gone as `interrupted`, saying whether they had been sent. Calls of a process
   * that still runs (a command beside the console) are left alone.
   * @returns how many there were
   */
  interruptAbandoned(): number {
    const abandoned = this.statements
      .listOpen()
      .filter(({ ownerProcess, ownerStartTicks }) => !isRunning({ processId: ownerProcess, startTicks: ownerStartTicks }));
    for (const { sequence } of abandoned) {
      const entry = this.requireEntry(sequence);
      this.append(sequence, {
        type: 'call.finished', at: this.clock.now(), outcome: 'interrupted', error: toInterruptedError(entry), result: null,
      });
    }
    this.writes.commit();
    return abandoned.length;
  }

  private findCall(callId: string): OpenedEntry | undefined {
    const found = this.statements.findCall(callId);
    return found && { sequence: found.sequence, entryId: toEntryId(found.number), cursor: found.cursor, existed: true };
  }

  private requireEntry(sequence: number): LedgerEntry {
    const rows = this.database.orm
      .select({ event: ledgerEvents.event })
      .from(ledgerEvents)
      .where(eq(ledgerEvents.entrySequence, sequence))
      .orderBy(asc(ledgerEvents.cursor))
      .all();
    const entry = foldEntry(sequence, rows.map((row) => parseStoredEvent(row.event)));
    if (entry === undefined) throw new AppError({ code: 'not_found', message: `There is no ledger entry ${sequence}.` });
    return entry;
  }

  private publish(entry: LedgerEntry, cursor: number): void {
    const row = toRow(entry);
    const errorMessage = row.errorMessage === null ? null : this.redactor.text(row.errorMessage);
    this.bus.publish({ type: 'ledger.row', cursor, row: { ...row, errorMessage } });
  }
}

/** Of what the text index and the list of held blobs are made. */
const hasOtherContents = (before: LedgerEntry, after: LedgerEntry): boolean =>
  before.argumentsSent !== after.argumentsSent || before.result !== after.result || before.error !== after.error || before.finishedAt !== after.finishedAt;

function toInterruptedError({ serverKey, tool, sentAt }: LedgerEntry): CallError {
  return sentAt === null
    ? toConsoleError('interrupted', 'The process that made the call ended before it was sent: it was not carried out.', { serverKey, tool }, {
        remediation: 'Nothing was sent: the call can be made again.',
      })
    : toConsoleError('interrupted', 'The process that made the call ended while the server was at it: it may have been carried out.', {
        serverKey,
        tool,
      });
}
