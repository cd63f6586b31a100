import { err, ok, Redactor, toVisibleText, type Result } from '@/lib/core';
import { isPackageRunner } from '@/lib/servers';
import { explainFailure, scrubFailure, type ConnectedFacts, type ConnectFailure, type Stage } from '../..';
import { findConnectMs } from './connect-clock';
import { findTlsFault } from './find-tls-fault';
import type { Connection, OpenConnectionOptions, PrintedLine, WireAnswer } from '../connection';
import { KnownSecrets } from '../known-secrets';
import { cutLine, LineRing, LONGEST_LINE } from '../line-ring';
import { LiveConnection } from '../live-connection';
import { toWords } from '../lists/lists';
import { negotiate, type Link } from './negotiate';
import { refineRemote } from './refine-remote';
import { listSecretTexts } from '../traffic/secret-texts';
import { StageTracker } from './stages';
import { toSubject } from '../transports/http-refusal';
import { SessionSecrets } from '../transports/session-secrets';

const LONGEST_QUOTE = 200;
/** Lines of stderr that a failure has as its evidence. */
const LAST_WORDS = 20;
const FELL_BACK =
  'the address speaks the older HTTP+SSE transport, not Streamable HTTP: set transport to sse on the settings of the server, ' +
  'or give the address of its Streamable HTTP endpoint';
const FORGETS_SESSIONS =
  'The server forgets each session as soon as it has given it. If it runs in several instances, let them share their sessions, ' +
  'or have its gateway send all requests of a session to the same instance; otherwise restart it and read its log.';

/**
 * Sets a connection up: config, resolve, spawn or connect, http, auth, negotiate, list; each stage is reported as it
 * begins and ends. Ends at its clock or when the signal fires. A failed set-up closes what it opened, waits until
 * that is gone, and reports its own failure.
 */
export async function openConnection(
  options: OpenConnectionOptions,
  signal: AbortSignal,
): Promise<Result<Connection, ConnectFailure>> {
  const { resolved } = options;
  const tracker = new StageTracker(options.clock, options.onStage);
  tracker.begin('config');
  const kind = resolved.transport.kind;
  if (kind === 'sse' && resolved.era === 'modern') {
    const said = 'transport sse has no modern era. Set era to auto or legacy, or transport to http';
    return err(tracker.fail(explainFailure('config_invalid', { stage: 'config', server: resolved.key, said })));
  }
  const fault = resolved.transport.kind === 'stdio' ? null : findTlsFault(resolved.transport.tls);
  if (fault !== null) return err(tracker.fail(explainFailure('config_invalid', { stage: 'config', server: resolved.key, said: fault, evidence: { detail: fault } })));
  tracker.pass('config', `transport ${kind}, era ${resolved.era}`);

  const limitMs = options.connectMs ?? findConnectMs(resolved);
  const clock = new AbortController();
  const timer = setTimeout(() => clock.abort(), limitMs);
  try {
    const opening: Opening = new Opening(options, tracker, AbortSignal.any([signal, clock.signal]), (heldUpBy) =>
      toInterruption(options, tracker, signal.aborted ? null : limitMs, opening.lastWords, heldUpBy),
    );
    const opened = await opening.run();
    return opened.ok ? opened : err(tracker.fail(scrubFailure(opened.error, opening.scrub)));
  } finally {
    clearTimeout(timer);
  }
}

/** One set-up on its way. */
class Opening {
  private readonly printed = new LineRing();
  private readonly stray: { count: number; first: string | null } = { count: 0, first: null };
  private readonly sessions = new SessionSecrets();
  private readonly remarked = new Set<string>();
  private connection: LiveConnection | null = null;
  private readonly redactor: Redactor;
  private readonly secrets: KnownSecrets;

  constructor(
    private readonly options: OpenConnectionOptions,
    private readonly tracker: StageTracker,
    private readonly signal: AbortSignal,
    private readonly toInterruption: (heldUpBy?: string) => ConnectFailure,
  ) {
    this.redactor = new Redactor(listSecretTexts(options.resolved.secretValues));
    this.secrets = new KnownSecrets(options.resolved.secretValues);
  }

  /** The last lines that it printed on stderr, scrubbed. */
  get lastWords(): readonly string[] {
    return this.printed.list().filter(({ source }) => source === 'stderr').slice(-LAST_WORDS).map(({ text }) => toVisibleText(text));
  }

  /** Takes secrets out of what the server printed or answered, before anything keeps it. */
  readonly scrub = (text: string): string => this.redactor.text(this.sessions.hide(text));

  /** Opens a connection; where the server forgets the session before its lists were read, a new one, once. */
  async run(): Promise<Result<Connection, ConnectFailure>> {
    const first = await this.attempt();
    if (first.ok || first.error.code !== 'session_lost' || this.signal.aborted) return first;
    this.options.onRemark?.('it forgot the session before its lists were read; a new one was opened');
    const second = await this.attempt();
    return second.ok || second.error.code !== 'session_lost' ? second : err({ ...second.error, remediation: FORGETS_SESSIONS });
  }

  private async attempt(): Promise<Result<Connection, ConnectFailure>> {
    const { tracker, signal } = this;
    const options: OpenConnectionOptions = { ...this.options, onLine: (line) => this.print(line) };
    const link = await negotiate({
      options,
      tracker,
      signal,
      toInterruption: this.toInterruption,
      hiding: { scrub: this.scrub, hideSession: this.sessions.hide, onSession: (ids) => this.sessions.learn(ids) },
      recording: {
        onStray: (text) => this.keepStray(text),
        onInvalid: (sentence) => this.options.onRemark?.(this.scrub(sentence)),
        onRemark: (sentence, weight, kind) => this.remark(sentence, weight, kind),
        onListChanged: () => this.connection?.markListsChanged(),
        onWire: (direction, text, sizeBytes) => this.options.onWire?.(direction, this.sessions.hide(text), sizeBytes),
      },
    });
    if (!link.ok) return err(await this.refine(link.error));
    return this.finish(link.value);
  }

  private async finish(link: Link): Promise<Result<Connection, ConnectFailure>> {
    const { tracker, signal } = this;
    const { resolved, clock } = this.options;
    const facts = this.toFacts(link);
    tracker.begin('negotiate');
    const fellBack = facts.transport === resolved.transport.kind ? [] : [`${FELL_BACK}${facts.fellBackFrom === undefined ? '' : `; to Streamable HTTP it answered: ${facts.fellBackFrom}`}`];
    this.endStage('negotiate', `revision ${facts.protocolVersion}, ${facts.era} era`, fellBack);
    const connection = new LiveConnection({
      server: resolved.key, fingerprint: resolved.fingerprint, facts, link, secrets: this.secrets, clock, printed: this.printed, stray: this.stray,
    });
    this.connection = connection;

    tracker.begin('list');
    const failed = await connection.readTools(signal);
    if (failed !== null) {
      const failure = this.toListFailure(failed, link);
      await connection.close();
      return err(failure);
    }
    await connection.readOtherLists(signal);
    if (signal.aborted) {
      await connection.close();
      return err(this.toInterruption());
    }
    // Refused in a way that ends it while the other lists were read.
    const { ending } = link.seam.inner;
    if (ending !== null) {
      await connection.close();
      return err(ending);
    }
    const { toolList, resources, prompts, warnings } = connection.lists;
    this.endStage('list', `${toolList.tools.length} tools, ${resources.length} resources, ${prompts.length} prompts`, [
      ...(toolList.tools.length === 0 ? ['it lists no tools'] : []),
      ...(toolList.setAside.length > 0 ? [`${toolList.setAside.length} tools were set aside`] : []),
      ...toolList.warnings,
      ...warnings,
    ]);
    connection.followLists();
    return ok(connection);
  }

  /** Passes a stage, or warns where there is something to say. */
  private endStage(stage: Stage, detail: string, warnings: readonly string[]): void {
    const { first } = this.stray;
    const noise = first === null ? [] : [`it prints other text to stdout: "${first.slice(0, LONGEST_QUOTE)}"`];
    const all = [...warnings, ...noise];
    if (all.length === 0) this.tracker.pass(stage, detail);
    else this.tracker.warn(stage, `${detail}; ${all.join('; ')}`, first === null ? {} : { stdout: [first] });
  }

  private remark(sentence: string, weight: 'note' | 'warning', kind: string): void {
    if (this.remarked.has(kind)) return;
    this.remarked.add(kind);
    const told = this.scrub(sentence);
    this.options.onRemark?.(told);
    if (weight === 'warning') this.options.onWarning?.(told);
  }

  private keepStray(text: string): void {
    this.stray.count += 1;
    // Scrubbed before it is cut: a secret that the cut parts would not be known any more.
    const shown = cutLine(this.scrub(text.slice(0, 2 * LONGEST_LINE)));
    this.stray.first ??= shown;
    this.print({ at: this.options.clock.now(), source: 'stdout', text: shown });
  }

  private print(line: PrintedLine): void {
    this.printed.add(line);
    this.options.onLine?.(line);
  }

  private toFacts({ client, seam }: Link): ConnectedFacts {
    const info = client.getServerVersion();
    const instructions = client.getInstructions() ?? null;
    const scrub = (text: string): string => this.secrets.text(text);
    const { resolved, eraVerdicts } = this.options;
    const refusal = seam.inner.kind === resolved.transport.kind ? undefined : eraVerdicts.find(resolved.fingerprint)?.refusal;
    return {
      transport: seam.inner.kind,
      ...(refusal !== undefined && { fellBackFrom: scrub(refusal) }),
      era: client.getProtocolEra() ?? 'legacy',
      protocolVersion: client.getNegotiatedProtocolVersion() ?? '',
      serverInfo: info && info.name !== '' ? { name: scrub(info.name), version: scrub(info.version), ...(info.title !== undefined && { title: scrub(info.title) }) } : null,
      instructions: instructions === null ? null : scrub(instructions),
      processId: seam.inner.processId,
      connectedAt: this.options.clock.now(),
    };
  }

  private toListFailure(failed: WireAnswer, link: Link): ConnectFailure {
    const { ending } = link.seam.inner;
    if (ending !== null) return ending;
    if (failed.kind === 'aborted') return this.toInterruption(failed.heldUpBy);
    if (failed.kind === 'not_sent' || failed.kind === 'lost') return failed.failure;
    if (failed.kind === 'protocol_error' && failed.failure !== undefined) return failed.failure;
    const facts = { stage: 'list', server: this.options.resolved.key, said: toWords(failed) } as const;
    if (failed.kind === 'protocol_error') return explainFailure('protocol_error', { ...facts, evidence: { body: failed.quoted } });
    return explainFailure('list_failed', facts);
  }

  /** What a closer look tells: a server of the older transport, a program that writes something else to stdout. */
  private async refine(failure: ConnectFailure): Promise<ConnectFailure> {
    const { resolved } = this.options;
    if (resolved.transport.kind !== 'stdio') {
      return this.signal.aborted ? failure : refineRemote(failure, resolved, resolved.transport, this.signal);
    }
    if (this.stray.first === null) return failure;
    const evidence = { ...failure.evidence, stdout: [this.stray.first] };
    if (failure.code !== 'never_answers') return { ...failure, evidence };
    return explainFailure('stdout_noise', {
      stage: failure.stage, server: resolved.key, said: `"${this.stray.first.slice(0, LONGEST_QUOTE)}"; no answer could be read`, evidence,
    });
  }
}

/** The clock ran out, or (`limitMs` null) whoever asked gave up. */
function toInterruption(
  options: OpenConnectionOptions,
  tracker: StageTracker,
  limitMs: number | null,
  lastWords: readonly string[],
  heldUpBy?: string,
): ConnectFailure {
  const { transport, key } = options.resolved;
  const stage = tracker.current;
  if (limitMs === null) return explainFailure('cancelled', { stage, server: key });
  const evidence = transport.kind === 'stdio' ? { stderr: lastWords } : {};
  if (stage === 'list') return explainFailure('list_hangs', { stage, server: key, waitedMs: limitMs, said: heldUpBy, evidence });
  if (transport.kind === 'stdio') {
    // What a package runner prints before the server answers is of its installing.
    const isInstalling = isPackageRunner(transport.command, transport.args);
    return explainFailure('never_answers', { stage, server: key, waitedMs: limitMs, isInstalling, evidence });
  }
  return explainFailure('timed_out', { stage, ...toSubject({ server: key, ...transport }), waitedMs: limitMs, said: heldUpBy });
}
