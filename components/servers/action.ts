import type { ActionResult, FieldError, JsonObject } from '@/lib/core';
import type { ServerEntry } from '@/lib/servers';

/** A server action as a component gets it. */
export type Action<Input, Data> = (input: Input) => Promise<ActionResult<Data>>;

export type Failure = Extract<ActionResult<unknown>, { readonly ok: false }>;

/** What a save came to: where someone else saved meanwhile, both, so that a person can choose. */
export type SaveOutcome =
  | { readonly kind: 'saved'; readonly key: string; readonly revision: number }
  | { readonly kind: 'invalid'; readonly fields: readonly FieldError[] }
  | { readonly kind: 'conflict'; readonly theirs: ServerEntry; readonly theirRevision: number };

type Fields = Readonly<Record<string, unknown>>;

/** `testId`: the test that the form shows of exactly what is saved, which becomes the server's last one; null without one. */
export type CreateServer = Action<{ fields: Fields; testId: string | null; tools: readonly string[] | null }, SaveOutcome>;
export type SaveServer = Action<{ fields: Fields; testId: string | null; revision: number }, SaveOutcome>;
export type ChangeAddress = Action<{ key: string; url: string }, { key: string }>;
export type StartTest = Action<{ key: string | null; fields: Fields | null }, { testId: string } | { fields: readonly FieldError[] }>;
export type CancelTest = Action<{ testId: string }, { cancelled: boolean }>;
export type KeyAction = Action<{ key: string }, { key: string }>;
export type SetEnabled = Action<{ key: string; enabled: boolean }, { key: string }>;
export type StartCall = Action<{ key: string; tool: string; callId: string; argumentsText: string; tryAnyway: boolean }, { sequence: number }>;
export type CancelCall = Action<{ sequence: number }, { cancelled: boolean }>;
export type ReadResource = Action<{ key: string; uri: string }, { result: JsonObject }>;
export type GetPrompt = Action<{ key: string; name: string; arguments: Readonly<Record<string, string>> }, { result: JsonObject }>;
export type AcceptReview = Action<{ key: string; tools: readonly string[] | null; seen: readonly string[] }, { key: string }>;
export type PutSample = Action<{ key: string }, { path: string; tool: string }>;

export type ChangeRest = Action<
  { keys: readonly string[]; change: { kind: 'rest'; forMs: number } | { kind: 'let_one_through' } | { kind: 'resume' } },
  { changed: readonly string[] }
>;

/** What can be done from a card. */
export interface CardActions {
  readonly startTest: StartTest;
  readonly setEnabled: SetEnabled;
  readonly deleteServer: KeyAction;
  readonly restoreBundled: Action<Record<never, never>, { key: string }>;
  readonly putSample: PutSample;
  readonly changeRest: ChangeRest;
  readonly changeAddress: ChangeAddress;
}
