import type { CallError, Outcome } from '@/lib/calls';
import type { Json, JsonObject } from '@/lib/core';
import type { StreamedContent } from '@/lib/pool/node';
import type { DisclosedEntry } from '..';

/** A call of a plumbing tool that the console makes for another call. */
export interface PlumbingCall {
  readonly tool: string;
  readonly arguments: JsonObject;
  /** As the entry keeps them: a content is named, not kept a second time. */
  readonly recorded: JsonObject;
  /** Goes out in place of its token among the arguments. */
  readonly content?: StreamedContent;
  /** Told each time that it is about to go out, before its first byte. */
  readonly onSending?: (entry: DisclosedEntry) => void;
  /** What the entry keeps of the result. */
  readonly toKept?: (result: JsonObject, value: Json) => JsonObject;
}

export interface PlumbingAnswer extends DisclosedEntry {
  readonly outcome: Outcome;
  readonly error: CallError | null;
  /** Of the result (product section 10); null where none came. */
  readonly value: Json;
}

/** Makes plumbing calls to one server for one call; never throws. */
export type MakePlumbingCall = (call: PlumbingCall, signal: AbortSignal) => Promise<PlumbingAnswer>;

/** The reference that stands for a content, or a part of it, on an entry (product section 7). */
export const toFileReference = (sha256: string | null, offset: number, length: number): JsonObject => ({ $file: sha256, offset, length });
