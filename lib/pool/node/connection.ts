import type { JsonObject, Clock, Result } from '@/lib/core';
import type { ListedPrompt, ListedResource, ListedResourceTemplate, ToolList } from '@/lib/manifests';
import type { ResolvedServer, ServerKey } from '@/lib/servers';
import type { ConnectedFacts, ConnectFailure, Evidence, Stage, WireDirection } from '..';
import type { ChildRecords } from './processes/child-records';
import type { KnownSecrets } from './known-secrets';
import type { EraVerdicts } from './set-up/era-verdicts';
import type { ServerRequestHooks } from './seam/server-requests';
import type { StreamedContent } from './transports/streamed-content';

/** A stage of setting a connection up, as it begins and ends. `passed` and `warned` let the next one begin. */
export type StageEvent =
  | { readonly type: 'began'; readonly stage: Stage; readonly at: number }
  | {
      readonly type: 'ended';
      readonly stage: Stage;
      readonly at: number;
      readonly ms: number;
      readonly outcome: 'passed' | 'warned' | 'failed';
      readonly detail: string;
      readonly evidence: Evidence;
    };

/** A line that the server printed: of stderr, or of stdout where it was no protocol message. */
export interface PrintedLine {
  readonly at: number;
  readonly source: 'stderr' | 'stdout';
  readonly text: string;
}

/** A command as it was started, for the audit. */
export interface StartedCommand {
  readonly serverKey: ServerKey;
  readonly command: string;
  readonly args: readonly string[];
}

export interface OpenConnectionOptions extends ServerRequestHooks {
  readonly resolved: ResolvedServer;
  /** The only root, told to a local server; null where the server has none. */
  readonly jobDirectory: string | null;
  readonly eraVerdicts: EraVerdicts;
  readonly children: ChildRecords;
  readonly clock: Clock;
  /** The clock of setting up, in ms; absent takes the entry's, or the default for its kind of command. */
  readonly connectMs?: number;
  readonly onStage?: (event: StageEvent) => void;
  /** The last line a package runner printed while it installs. */
  readonly onProgress?: (text: string) => void;
  readonly onLine?: (line: PrintedLine) => void;
  /** Something about the connection worth a line in its log: an invalid message with what is wrong with it. */
  readonly onRemark?: (text: string) => void;
  /** The same, where it is put up with and should be mended; told once for each kind. */
  readonly onWarning?: (text: string) => void;
  readonly onStarted?: (started: StartedCommand) => void;
  /** A message passed, in either direction, as it was on the wire: not scrubbed, so whoever shows it must. */
  readonly onWire?: (direction: WireDirection, text: string, sizeBytes: number) => void;
}

/** What a server offers, as last read; `warnings` are sentences about lists that were cut short or failed. */
export interface ConnectionLists {
  readonly toolList: ToolList;
  readonly resources: readonly ListedResource[];
  readonly resourceTemplates: readonly ListedResourceTemplate[];
  readonly prompts: readonly ListedPrompt[];
  readonly warnings: readonly string[];
}

export interface StrayLines {
  readonly count: number;
  readonly first: string | null;
}

/** Progress or a log message of the server while a call was in flight. */
export interface WireNote {
  readonly at: number;
  readonly kind: 'progress' | 'log';
  readonly text: string;
  readonly progress: number | null;
  readonly total: number | null;
}

export interface WireCall {
  readonly tool: string;
  /** Sent exactly as given. */
  readonly arguments: JsonObject;
  /** A file that goes out in place of its token among the arguments. */
  readonly content?: StreamedContent;
  /** The request went out; not called where it provably did not. */
  readonly onSent: () => void;
  /** The first message that belongs to this call came in. */
  readonly onFirstByte: () => void;
  /** More of its answer came that is not whole yet; only over HTTP, where each call has a stream of its own. */
  readonly onBytes?: () => void;
  readonly onProgress: (note: WireNote) => void;
  /** An answer came after the call was given up. */
  readonly onLateAnswer: (result: JsonObject) => void;
}

/** What became of one request on the wire. */
export type WireAnswer =
  /** Whole, as it was on the wire: unknown content blocks are kept. */
  | { readonly kind: 'result'; readonly result: JsonObject }
  | { readonly kind: 'rpc_error'; readonly code: number; readonly message: string; readonly data: unknown }
  /** Provably never sent, or refused unread. `retryAfterMs` is set where the server named a time (429). */
  | { readonly kind: 'not_sent'; readonly failure: ConnectFailure; readonly retryAfterMs?: number }
  /**
   * Ended by the caller's signal; the server was told where it had been sent. `quoted` is a line of stdout that came
   * meanwhile, is no protocol message and looks like an answer glued to other text; `unreadBytes` are what the server
   * had not read of its input; `heldUpBy` says what was begun of an answer and not ended.
   */
  | { readonly kind: 'aborted'; readonly sent: boolean; readonly quoted?: string; readonly unreadBytes?: number; readonly heldUpBy?: string }
  /** The connection was lost after sending. */
  | { readonly kind: 'lost'; readonly failure: ConnectFailure }
  /** It answered, but not the request; `failure` is set where it refused with an HTTP status. */
  | { readonly kind: 'protocol_error'; readonly message: string; readonly quoted: string; readonly failure?: ConnectFailure }
  | { readonly kind: 'too_large'; readonly sizeBytes: number; readonly limitBytes: number };

/** A live link to one server, set up once. */
export interface Connection {
  readonly facts: ConnectedFacts;
  readonly fingerprint: string;
  /** What it was given and may say back; its facts and lists are without them already. */
  readonly secrets: KnownSecrets;
  /** It ended by itself and takes nothing more, but lets what is in flight be answered before it closes. */
  readonly isDraining?: boolean;
  /** From the first message sent to its answer, in ms. */
  readonly latencyMs: number;
  readonly lists: ConnectionLists;
  readonly strayLines: StrayLines;
  /** The last lines of stderr and the stray ones of stdout, oldest first. */
  readonly lines: readonly PrintedLine[];
  /** Invokes a tool; for the call path alone. Never throws, settles when the signal fires. */
  callTool(call: WireCall, signal: AbortSignal): Promise<WireAnswer>;
  readResource(uri: string, signal: AbortSignal): Promise<WireAnswer>;
  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<WireAnswer>;
  /** Asks for any answer at all, to see whether the server lives: a JSON-RPC error is one too. Never throws. */
  ping(signal: AbortSignal): Promise<WireAnswer>;
  /** Reads every list again; a list that fails keeps what was read before and adds a warning. */
  refreshLists(signal: AbortSignal): Promise<ConnectionLists>;
  /** Told after the lists were read again because the server said that they changed. Returns the way to stop. */
  onListsChanged(listener: (lists: ConnectionLists) => void): () => void;
  /** Told once: with null after `close()`, with the failure when the connection ended by itself. */
  onClosed(listener: (failure: ConnectFailure | null) => void): () => void;
  /** Told once when nothing passes over it any more: at its end, or after that once what it drains is answered. */
  onGone(listener: () => void): void;
  /** Ends the connection; for a local server resolves when no descendant is left. Never throws. */
  close(): Promise<void>;
}

export type OpenConnection = (
  options: OpenConnectionOptions,
  signal: AbortSignal,
) => Promise<Result<Connection, ConnectFailure>>;
