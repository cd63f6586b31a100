import type { Clock, Json, JsonObject } from '@/lib/core';
import type { Handing, OutputEnd } from '@/lib/files';
import type { LedgerEvent, ProgressNote, StoredPayload } from '@/lib/ledger';
import type { Era } from '@/lib/servers';
import type { CallError, Outcome } from '..';

/** A note of progress replaces the one before while it waits to be written, so that a flood costs little. */
const PROGRESS_EVERY_MS = 250;
const MAX_NOTES = 500;
const MAX_NOTE_CHARACTERS = 4096;

interface RecordWriter {
  append(sequence: number, ...events: readonly LedgerEvent[]): void;
  commit(): void;
  stored(): Promise<void>;
  readonly payloads: { store(value: Json): Promise<StoredPayload> };
}

/** What happens to one call, written to its entry: stored at once where it must be on record, else with what comes next. */
export class CallRecord {
  private readonly waiting: LedgerEvent[] = [];
  private readonly given: string[] = [];
  private readonly writer: RecordWriter;
  private readonly clock: Clock;
  private newest: ProgressNote | null = null;
  private lastNoteAt = -Infinity;
  private notes = 0;
  private notesLeftOut = 0;
  private isAnswering = false;
  private attemptCount = 0;
  private firstSentAt: number | null = null;

  constructor(
    private readonly sequence: number,
    options: { readonly writer: RecordWriter; readonly clock: Clock },
  ) {
    this.writer = options.writer;
    this.clock = options.clock;
  }

  get attempts(): number {
    return this.attemptCount;
  }

  get warnings(): readonly string[] {
    return this.given;
  }

  get sentAt(): number | null {
    return this.firstSentAt;
  }

  queued(ahead: number): void {
    this.write({ type: 'call.queued', at: this.clock.now(), ahead });
  }

  /** On record before the first byte goes, so that a crash never leaves a sent call as unsent. */
  sent(era: Era, argumentsSent: StoredPayload | null = null): void {
    this.attemptCount += 1;
    const at = this.clock.now();
    this.firstSentAt ??= at;
    this.write({ type: 'call.sent', at, attempt: this.attemptCount, era, argumentsSent });
    this.writer.commit();
  }

  handed(handing: Handing): void {
    this.write({ type: 'call.handed', at: this.clock.now(), handing });
  }

  readBack(output: OutputEnd): void {
    this.write({ type: 'call.read_back', at: this.clock.now(), output });
  }

  answering(): void {
    if (this.isAnswering) return;
    this.isAnswering = true;
    this.waiting.push({ type: 'call.answering', at: this.clock.now() });
  }

  noted(note: ProgressNote): void {
    const kept = { ...note, text: note.text.slice(0, MAX_NOTE_CHARACTERS) };
    if (this.notes >= MAX_NOTES) {
      this.notesLeftOut += 1;
      return;
    }
    if (note.kind === 'log') {
      this.notes += 1;
      this.waiting.push({ type: 'call.progressed', at: note.at, note: kept });
    } else {
      this.newest = kept;
    }
    if (note.at - this.lastNoteAt < PROGRESS_EVERY_MS) return;
    this.lastNoteAt = note.at;
    this.takeNewest();
    this.write();
  }

  warned(warning: string): void {
    this.given.push(warning);
    this.waiting.push({ type: 'call.warned', at: this.clock.now(), warning });
  }

  async finished(outcome: Outcome, error: CallError | null, result: JsonObject | null): Promise<void> {
    const stored = result === null ? null : await this.store(result);
    this.takeNewest();
    if (this.notesLeftOut > 0) this.warned(`${this.notesLeftOut} further notes of progress and log messages were not kept.`);
    this.write({ type: 'call.finished', at: this.clock.now(), outcome, error, result: stored });
    await this.writer.stored();
  }

  async answeredLate(result: JsonObject): Promise<void> {
    const stored = await this.store(result);
    this.write({ type: 'call.answered_late', at: this.clock.now(), result: stored });
    await this.writer.stored();
  }

  /** Null where it cannot be kept: the call has ended all the same, and its entry says so. */
  private async store(result: JsonObject): Promise<StoredPayload | null> {
    try {
      return await this.writer.payloads.store(result);
    } catch (cause) {
      this.warned(`The result could not be kept: ${cause instanceof Error ? cause.message : 'it could not be written'}.`);
      return null;
    }
  }

  private takeNewest(): void {
    if (this.newest === null) return;
    this.notes += 1;
    this.waiting.push({ type: 'call.progressed', at: this.newest.at, note: this.newest });
    this.newest = null;
  }

  private write(...events: readonly LedgerEvent[]): void {
    this.writer.append(this.sequence, ...this.waiting.splice(0), ...events);
  }
}
