import { ProtocolError, SdkError, SdkErrorCode, type RequestOptions } from '@modelcontextprotocol/client';
import type { Clock, JsonObject } from '@/lib/core';
import type { ListedTool } from '@/lib/manifests';
import { explainFailure, type ConnectedFacts, type ConnectFailure } from '..';
import { Ask, type AskListener } from './seam/ask';
import { NEVER_MS } from './set-up/client';
import type { Connection, ConnectionLists, PrintedLine, StrayLines, WireAnswer, WireCall } from './connection';
import type { KnownSecrets } from './known-secrets';
import { Freshness } from './lists/freshness';
import type { LineRing } from './line-ring';
import { ListFollower } from './lists/list-follower';
import { readOtherLists, readTools, toWords } from './lists/lists';
import { setAsideUnmirrorable } from './seam/mirrored-headers';
import type { Link } from './set-up/negotiate';
import { callAsTask, isTaskOnly, type TaskWire } from './task-call';

interface LiveOptions {
  readonly server: string;
  readonly fingerprint: string;
  readonly facts: ConnectedFacts;
  readonly link: Link;
  readonly secrets: KnownSecrets;
  readonly clock: Clock;
  readonly printed: LineRing;
  readonly stray: { readonly count: number; readonly first: string | null };
}

/** Accepts any result: results are taken from the wire, so the library's schemas decide nothing. */
const ANYTHING = { '~standard': { version: 1 as const, vendor: 'signalbox', validate: (value: unknown) => ({ value }) } };

/** The modern era's refusal of a request whose head does not say what its body says. */
const HEADER_MISMATCH = -32_020;
/** Its refusal of a request in a revision that the server does not speak. */
const UNSUPPORTED_REVISION = -32_022;

const NO_LISTS: ConnectionLists = {
  toolList: { tools: [], setAside: [], warnings: [] }, resources: [], resourceTemplates: [], prompts: [], warnings: [],
};

/** A connection that is set up. */
export class LiveConnection implements Connection {
  readonly facts: ConnectedFacts;
  readonly fingerprint: string;
  readonly secrets: KnownSecrets;
  lists: ConnectionLists = NO_LISTS;
  private freshness = new Freshness();

  private readonly closedListeners = new Set<(failure: ConnectFailure | null) => void>();
  private readonly goneListeners = new Set<() => void>();
  private isGone = false;
  private readonly listsListeners = new Set<(lists: ConnectionLists) => void>();
  private readonly ending = new AbortController();
  private readonly follower: ListFollower;
  /** undefined while it is open. */
  private endedBy: ConnectFailure | null | undefined;

  constructor(private readonly options: LiveOptions) {
    this.facts = options.facts;
    this.fingerprint = options.fingerprint;
    this.secrets = options.secrets;
    options.link.client.onclose = () => {
      this.end(options.link.seam.inner.ending);
      this.vanish();
    };
    options.link.seam.ondraining = () => this.end(options.link.seam.inner.ending);
    this.follower = new ListFollower(options.link, () => this.refreshAndTell());
  }

  get isDraining(): boolean {
    return this.options.link.seam.inner.isDraining === true;
  }

  get latencyMs(): number {
    return this.options.link.seam.handshake.latencyMs ?? 0;
  }

  get strayLines(): StrayLines {
    return { ...this.options.stray };
  }

  get lines(): readonly PrintedLine[] {
    return this.options.printed.list();
  }

  async callTool(call: WireCall, signal: AbortSignal): Promise<WireAnswer> {
    const answer = await this.callOnce(call, signal);
    if (answer.kind !== 'rpc_error' || !this.options.link.seam.isModern) return answer;
    if (answer.code === UNSUPPORTED_REVISION) return this.endForRevision(answer);
    if (answer.code !== HEADER_MISMATCH) return answer;
    // Refused unread: what the tool wants in its headers has changed since the list was read.
    await this.readTools(signal);
    return signal.aborted ? answer : this.callOnce(call, signal);
  }

  /** The server speaks the revision no more, and has not read the request: a new connection finds one that is shared. */
  private async endForRevision({ message, data }: Extract<WireAnswer, { kind: 'rpc_error' }>): Promise<WireAnswer> {
    const evidence = { detail: message, body: JSON.stringify(data) };
    const failure = explainFailure('no_shared_revision', { stage: 'negotiate', server: this.options.server, said: message, evidence });
    this.end(failure);
    await this.close();
    return { kind: 'not_sent', failure };
  }

  private callOnce(call: WireCall, signal: AbortSignal): Promise<WireAnswer> {
    const { client, seam } = this.options.link;
    // Looked at when it is needed, never by itself: a hint is no interval to ask in.
    if (seam.isModern && this.freshness.isOver(performance.now())) this.follower.mark();
    const params = { name: this.secrets.original(call.tool), arguments: call.arguments };
    const listed = this.lists.toolList.tools.find((tool) => tool.name === call.tool);
    if (!seam.isModern && isTaskOnly(listed, client.getServerCapabilities() ?? {})) return callAsTask(call, this.toTaskWire(params), signal);
    return this.ask(this.newAsk('tools/call', call), signal, (options) =>
      // In the modern era the schema says which arguments are mirrored into headers.
      seam.isModern && listed
        ? client.callTool(params, { ...options, toolDefinition: toDefinition(params.name, listed) })
        : client.request({ method: 'tools/call', params }, ANYTHING, options),
    );
  }

  readResource(uri: string, signal: AbortSignal): Promise<WireAnswer> {
    return this.request('resources/read', { uri: this.secrets.original(uri) }, signal);
  }

  getPrompt(name: string, args: Readonly<Record<string, string>>, signal: AbortSignal): Promise<WireAnswer> {
    return this.request('prompts/get', { name: this.secrets.original(name), arguments: { ...args } }, signal);
  }

  /** The modern era has no `ping`; what it can do is what every server of it tells. */
  ping(signal: AbortSignal): Promise<WireAnswer> {
    return this.request(this.options.link.seam.isModern ? 'server/discover' : 'ping', {}, signal);
  }

  /** Reads the tools, and fails where they cannot be read; for the set-up. */
  async readTools(signal: AbortSignal): Promise<WireAnswer | null> {
    const freshness = new Freshness();
    const readPage = async (method: string, params: JsonObject): Promise<WireAnswer> => {
      const answer = await this.request(method, params, signal);
      freshness.note(answer, performance.now());
      return answer;
    };
    const tools = await readTools({ server: this.options.server, secrets: this.secrets }, readPage, signal);
    // A list that cannot be read again just now stays, and is no less stale.
    if ('failed' in tools) return tools.failed;
    this.freshness = freshness;
    const { seam } = this.options.link;
    // Only there are arguments mirrored into headers.
    const mirrors = seam.isModern && seam.inner.kind === 'http';
    this.lists = { ...this.lists, toolList: mirrors ? setAsideUnmirrorable(tools) : tools };
    seam.inner.endSetUp();
    return null;
  }

  async readOtherLists(signal: AbortSignal): Promise<void> {
    const declared = this.options.link.client.getServerCapabilities() ?? {};
    const others = await readOtherLists({ server: this.options.server, secrets: this.secrets }, declared, (method, params, until) => this.request(method, params, until), signal);
    this.lists = { ...this.lists, ...others };
  }

  async refreshLists(signal: AbortSignal): Promise<ConnectionLists> {
    const failed = await this.readTools(signal);
    await this.readOtherLists(signal);
    if (failed !== null) {
      const warning = `${this.options.server}: the tools could not be read again: ${this.secrets.text(toWords(failed))}. Those shown are from before.`;
      this.lists = { ...this.lists, warnings: [...this.lists.warnings, warning] };
    }
    return this.lists;
  }

  /** Begins to follow what the server says of its lists; once they were read. */
  followLists(): void {
    this.follower.start();
  }

  /** The server said that a list changed. */
  markListsChanged(): void {
    this.follower.mark();
  }

  onListsChanged(listener: (lists: ConnectionLists) => void): () => void {
    this.listsListeners.add(listener);
    return () => this.listsListeners.delete(listener);
  }

  onClosed(listener: (failure: ConnectFailure | null) => void): () => void {
    if (this.endedBy !== undefined) {
      const { endedBy } = this;
      queueMicrotask(() => listener(endedBy));
      return () => undefined;
    }
    this.closedListeners.add(listener);
    return () => this.closedListeners.delete(listener);
  }

  onGone(listener: () => void): void {
    if (this.isGone) queueMicrotask(listener);
    else this.goneListeners.add(listener);
  }

  async close(): Promise<void> {
    const { client, seam } = this.options.link;
    this.end(null);
    await client.close().catch(() => undefined);
    await seam.close();
    this.vanish();
  }

  private async refreshAndTell(): Promise<void> {
    const lists = await this.refreshLists(this.ending.signal);
    if (this.endedBy === undefined) for (const listener of this.listsListeners) listener(lists);
  }

  private end(failure: ConnectFailure | null): void {
    if (this.endedBy !== undefined) return;
    this.endedBy = failure;
    this.follower.stop();
    this.ending.abort();
    for (const listener of this.closedListeners) listener(failure);
  }

  private vanish(): void {
    if (this.isGone) return;
    this.isGone = true;
    for (const listener of this.goneListeners) listener();
  }

  private request(method: string, params: JsonObject, signal: AbortSignal, listener: AskListener = {}): Promise<WireAnswer> {
    return this.ask(this.newAsk(method, listener), signal, (options) => this.options.link.client.request({ method, params }, ANYTHING, options));
  }

  private toTaskWire(params: JsonObject): TaskWire {
    const { client, seam } = this.options.link;
    let created: Ask | null = null;
    return {
      create: (listener, signal) => {
        created = new Ask('tools/call', listener, this.options.clock, true);
        return this.ask(created, signal, (options) => client.request({ method: 'tools/call', params: { ...params, task: {} } }, ANYTHING, options));
      },
      request: (method, asked, listener, signal) => this.request(method, asked, signal, listener),
      end: () => {
        if (created !== null) seam.endTask(created);
      },
      now: () => this.options.clock.now(),
    };
  }

  private newAsk(method: string, listener: AskListener): Ask {
    return new Ask(method, listener, this.options.clock);
  }

  /** Makes one request through the library and answers what the wire says of it. Never throws. */
  private ask(ask: Ask, signal: AbortSignal, request: (options: RequestOptions) => Promise<unknown>): Promise<WireAnswer> {
    const stop = new AbortController();
    const abort = () => {
      const { seam } = this.options.link;
      ask.abort(seam.inner.unreadBytes, seam.describeDelay(ask));
      stop.abort('given up');
    };
    if (signal.aborted) abort();
    else if (this.endedBy !== undefined) ask.end(this.endedBy ?? this.toClosed());
    else {
      signal.addEventListener('abort', abort, { once: true });
      void this.options.link.seam.run(ask, async () => {
        try {
          await request({ signal: stop.signal, timeout: NEVER_MS, onprogress: () => undefined });
        } catch (error) {
          this.settleBy(error, ask);
        } finally {
          signal.removeEventListener('abort', abort);
        }
      });
    }
    return ask.answer;
  }

  /** An error that the library raised by itself; where the wire had an answer, the ask is settled already. */
  private settleBy(error: unknown, ask: Ask): void {
    if (error instanceof ProtocolError) {
      ask.settle({ kind: 'rpc_error', code: error.code, message: error.message, data: error.data ?? null });
    } else if (error instanceof SdkError && error.code !== SdkErrorCode.ConnectionClosed && error.code !== SdkErrorCode.NotConnected) {
      ask.settle({ kind: 'protocol_error', message: error.message, quoted: '' });
    } else {
      ask.end(this.endedBy ?? this.toClosed());
    }
  }

  private toClosed(): ConnectFailure {
    return explainFailure('connection_reset', { stage: 'negotiate', server: this.options.server, said: 'it was closed' });
  }
}

/** A listed tool in the library's type; its schemas are read for header names alone. */
const toDefinition = (name: string, tool: ListedTool) => ({
  name,
  // The list's mending made sure that it is an object schema.
  inputSchema: tool.inputSchema as { type: 'object' },
});
