import { formatDuration, toVisibleText } from '@/lib/core';
import type { ConnectFailure, ConnectFailureCode, Evidence, Stage } from './failure';
import { findSharedRevisions, REVISIONS } from './revisions';

/** What a failure's sentences are made of; all but the stage and the server are optional. */
export interface FailureFacts {
  readonly stage: Stage;
  /** The server's key. */
  readonly server: string;
  readonly evidence?: Evidence;
  /** The command, as configured. */
  readonly program?: string;
  /** The PATH in force. */
  readonly searchPath?: string;
  readonly folder?: string;
  /** Host, or URL without user, password and query. */
  readonly address?: string;
  readonly waitedMs?: number;
  /** A package runner was at work, which installs before it starts. */
  readonly isInstalling?: boolean;
  /** What the server, the system or the validation said, as a sentence or its beginning. */
  readonly said?: string;
  readonly retryAfterMs?: number;
  /** Who gives tokens for the server, as its metadata says. */
  readonly authorizationServer?: string;
  /** What a token has to allow, as the refusal says. */
  readonly scope?: string;
  /** Host and port of the proxy that the server is reached through. */
  readonly proxy?: string;
  /** Where a redirect leads, without user, password and query. */
  readonly location?: string;
}

type Sentences = readonly [message: string, remediation: string];

const clip = (text: string, length: number): string => {
  const visible = toVisibleText(text).trim();
  return visible.length > length ? `${visible.slice(0, length)}…` : visible;
};

/** `it exited with code 3`, `it was ended by SIGKILL`. */
function toExit(evidence: Evidence | undefined): string {
  if (evidence?.signal) return `it was ended by ${evidence.signal}`;
  if (typeof evidence?.exitCode === 'number') return `it exited with code ${evidence.exitCode}`;
  return 'it ended';
}

const LONGEST_WORDS = 200;

/** The last stderr line, which is where programs say why. */
function toLastWords(evidence: Evidence | undefined, introduction = 'its last words were'): string {
  const last = evidence?.stderr?.findLast((line) => line.trim() !== '');
  if (!last) return '';
  // The end of a line that was too long to be kept whole: there its end is what counts.
  const isEnd = last.startsWith('…') && last.length > LONGEST_WORDS;
  return `; ${introduction} "${isEnd ? `…${last.slice(-LONGEST_WORDS)}` : clip(last, LONGEST_WORDS)}"`;
}

const toSaid = (facts: FailureFacts): string => {
  const said = facts.said ?? facts.evidence?.detail;
  return said ? `: ${clip(said, 300)}` : '';
};

/** `HTTP 401`, or `close code 4401` where it came over a WebSocket. */
const toVerdict = (facts: FailureFacts, status: number): string =>
  facts.evidence?.closeCode === undefined ? `HTTP ${status}` : `close code ${facts.evidence.closeCode}`;

/** `2026-12-01 08:30 UTC` of a date as certificates write it. */
function toMoment(written: string | undefined): string | null {
  const at = written === undefined ? Number.NaN : Date.parse(written);
  return Number.isNaN(at) ? null : `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

const throughProxy = ({ proxy }: FailureFacts): string => (proxy === undefined ? '' : ` through the proxy ${proxy}`);

const isWebSocket = (facts: FailureFacts): boolean => /^wss?:/.test(facts.address ?? '');

/** The sentences of each kind of failure; the record is closed over the codes, so a new one needs its own. */
const SENTENCES: Record<ConnectFailureCode, (facts: FailureFacts) => Sentences> = {
  config_invalid: (facts) => [
    `The settings of ${facts.server} cannot be used${toSaid(facts)}`,
    'Correct the field on the settings of the server and save.',
  ],
  variable_unresolved: (facts) => [
    `The settings of ${facts.server} name a variable or secret that is not set${toSaid(facts)}`,
    'Set the variable where the console is started and restart it, store the secret in the vault, or write the value itself.',
  ],
  program_missing: (facts) => [
    `${facts.program ?? 'The program'} is not on the PATH that the console sees (${facts.searchPath ?? 'it is empty'})`,
    `Install ${facts.program ?? 'the program'}, or give its full path as the command.`,
  ],
  not_executable: (facts) => [
    `${facts.program ?? 'The command'} is there but may not be run by the console's user`,
    'Make the file executable (chmod +x), or name the interpreter as the command and the file as its first argument.',
  ],
  cwd_missing: (facts) => [
    `The working directory ${facts.folder ?? ''} of ${facts.server} does not exist`,
    'Create the folder, or correct cwd on the settings of the server.',
  ],
  wrong_architecture: (facts) => [
    `${facts.program ?? 'The program'} was built for another kind of machine${toSaid(facts)}`,
    'Install the build of the program for this system and processor.',
  ],
  spawn_failed: (facts) => [
    `${facts.program ?? 'The program'} could not be started${toSaid(facts)}`,
    'Start the same command in a terminal to see what the system says, and correct the command or its interpreter.',
  ],
  exited_at_once: (facts) => [
    `${facts.server} was started, but ${toExit(facts.evidence)} before it answered${toLastWords(facts.evidence)}`,
    'What it printed on stderr says why: a missing argument, variable or file is usually named there.',
  ],
  exited: (facts) => [
    `${facts.server} ended by itself: ${toExit(facts.evidence)}${toLastWords(facts.evidence)}`,
    'What it printed on stderr usually says why; it is started again by the next call.',
  ],
  never_answers: (facts) => [
    `${facts.server} was started but did not answer${facts.waitedMs === undefined ? '' : ` within ${formatDuration(facts.waitedMs)}`}${
      facts.isInstalling === true ? '; it was still installing' : ''
    }${toLastWords(facts.evidence, facts.isInstalling === true ? 'the last line that it printed was' : undefined)}`,
    facts.isInstalling === true
      ? 'Raise connect_s on its limits, or run the same command once in a terminal: what is installed then is kept for the next start.'
      : 'Check that the command starts an MCP server over stdio and waits for nothing else, or raise connect_s on its limits.',
  ],
  not_reading: (facts) => [
    `${facts.address ?? facts.server} is not reading its input${toSaid(facts)}`,
    'It is busy, stuck, or no longer reads what it is sent: read its log, and restart it if it stays so.',
  ],
  output_closed: (facts) => [
    `${facts.server} closed its standard output although it still runs, so no answer can come${toLastWords(facts.evidence)}`,
    'Read its log: a server that puts itself in the background, or redirects its output, cannot be spoken to over stdio.',
  ],
  endless_line: (facts) => [
    `${facts.server} writes a line without end to its standard output${toSaid(facts)}`,
    'Make the server write one message a line; it is started again by the next call.',
  ],
  not_utf8: (facts) => [
    `${facts.address ?? facts.server} ${facts.address === undefined ? 'wrote bytes that are not UTF-8 to its standard output' : 'sent bytes that are not UTF-8'}${toSaid(facts)}`,
    facts.address === undefined ? 'Make the server write UTF-8 (for Python set PYTHONUTF8=1 in its env).' : 'Make the server send UTF-8.',
  ],
  stdout_noise: (facts) => [
    `${facts.server} prints other text to its standard output, where only the protocol may be${toSaid(facts)}`,
    'Make the server log to stderr, or start it with its quiet option.',
  ],
  host_unknown: (facts) => [
    `The host name of ${facts.address ?? facts.server} is not known here`,
    'Check the spelling of the address, and that this machine has DNS or the VPN it needs.',
  ],
  refused: (facts) => [
    `Nothing listens at ${facts.address ?? facts.server}: the connection was refused`,
    'Start the server, or correct the port of its address.',
  ],
  timed_out: (facts) => [
    `${facts.address ?? facts.server} did not answer${throughProxy(facts)}${facts.waitedMs === undefined ? '' : ` within ${formatDuration(facts.waitedMs)}`}${toSaid(facts)}`,
    facts.proxy === undefined
      ? 'Check that the address can be reached from this machine (firewall, VPN), or raise connect_s on its limits.'
      : 'Check the proxy on the settings of the server and in the environment (HTTPS_PROXY, NO_PROXY), and that it reaches the address; or raise connect_s on its limits.',
  ],
  connection_reset: (facts) => [
    `The connection to ${facts.address ?? facts.server}${throughProxy(facts)} broke off${toSaid(facts)}`,
    'Try again; if it stays so, read the log of the server or of the proxy in front of it.',
  ],
  address_not_allowed: (facts) => [
    `${facts.address ?? facts.server} resolves to an address that the console does not connect to${toSaid(facts)}`,
    'Use another address, or ask an admin to allow this one.',
  ],
  tls_untrusted: (facts) => [
    `The certificate of ${facts.address ?? facts.server} is not trusted here${toSaid(facts)}`,
    'Give the certificate of its authority as tls.ca on the settings of the server.',
  ],
  tls_expired: (facts) => [
    `The certificate of ${facts.address ?? facts.server} has expired${toSaid(facts)}`,
    'Renew the certificate of the server, and check the clock of this machine.',
  ],
  tls_not_yet_valid: (facts) => {
    const from = toMoment(facts.evidence?.certificate?.validFrom);
    return [
      `The certificate of ${facts.address ?? facts.server} is not valid yet${from === null ? toSaid(facts) : `: it is valid from ${from}`}`,
      `Check the clock of this machine. If it is right, ${from === null ? 'wait until the certificate is valid' : `wait until ${from}`}, or give the server a certificate that is valid now.`,
    ];
  },
  tls_wrong_name: (facts) => [
    `The certificate of ${facts.address ?? facts.server} is for another name${toSaid(facts)}`,
    'Use the name that the certificate is for, or give the server one for this name.',
  ],
  tls_failed: (facts) => [
    `No secure connection to ${facts.address ?? facts.server} could be made${throughProxy(facts)}${toSaid(facts)}`,
    /handshake failure/i.test(facts.said ?? '')
      ? 'The server wants a TLS version or cipher that this machine does not have, or a client certificate: give one as tls.cert and tls.key.'
      : `Check whether the server speaks TLS at this port; if it does not, write ${isWebSocket(facts) ? 'ws:// instead of wss://' : 'http:// instead of https://'}.`,
  ],
  tls_client_certificate: (facts) => [
    `${facts.address ?? facts.server} asks for a client certificate that it accepts${toSaid(facts)}`,
    'Give the certificate and its key as tls.cert and tls.key on the settings of the server; if they are set, the server does not accept them.',
  ],
  tls_client_key: (facts) => [
    `The client certificate and key for ${facts.address ?? facts.server} cannot be used${toSaid(facts)}`,
    'Give as tls.key the private key that belongs to tls.cert, in PEM and without a passphrase.',
  ],
  proxy_in_the_way: (facts) => [
    `The proxy${facts.proxy === undefined ? '' : ` ${facts.proxy}`} did not pass the connection to ${facts.address ?? facts.server} on${toSaid(facts)}`,
    'Check the proxy on the settings of the server and in the environment (HTTPS_PROXY, NO_PROXY).',
  ],
  not_an_mcp_endpoint: (facts) => [
    `${facts.address ?? facts.server} answers, but not as an MCP endpoint${toSaid(facts)}`,
    isWebSocket(facts)
      ? 'Give the address of the WebSocket endpoint itself; if the server speaks Streamable HTTP, write https:// (or http://) instead.'
      : 'Give the address of the MCP endpoint itself; it often ends in /mcp.',
  ],
  redirected: (facts) => [
    `${facts.address ?? facts.server} redirects elsewhere${toSaid(facts)}`,
    facts.location === undefined
      ? 'Ask whoever runs the server for its address, and store that.'
      : `If that is the server you mean, store ${clip(facts.location, 200)} as its address on the settings of the server.`,
  ],
  unauthorized: (facts) => [
    `${facts.address ?? facts.server} asks for a sign-in (${toVerdict(facts, 401)})${toSaid(facts)}`,
    facts.authorizationServer === undefined
      ? 'Give a bearer token or an Authorization header on the settings of the server; if one is set, it is wrong or expired. ' +
        'It names no authorization server: ask whoever runs it how to get a token.'
      : `Get a token for it from its authorization server ${clip(facts.authorizationServer, 200)} and give it as the bearer token ` +
        'on the settings of the server; if one is set, it is wrong or expired.',
  ],
  forbidden: (facts) => [
    `${facts.address ?? facts.server} refuses this account (${toVerdict(facts, 403)})${toSaid(facts)}`,
    facts.scope === undefined
      ? 'Use a token that has the rights that the server asks for.'
      : `Use a token that has the scope ${clip(facts.scope, 200)}.`,
  ],
  not_acceptable: (facts) => [
    `${facts.address ?? facts.server} cannot give the kind of answer that MCP uses (HTTP 406)${toSaid(facts)}`,
    'Check that the address is that of the Streamable HTTP endpoint, and that no proxy changes the Accept header.',
  ],
  too_many_requests: (facts) => [
    `${facts.address ?? facts.server} asks to slow down (HTTP 429)${
      facts.retryAfterMs === undefined ? '' : `; it accepts requests again in ${formatDuration(facts.retryAfterMs)}`
    }`,
    'Wait, or ask whoever runs the server for a higher limit.',
  ],
  server_error: (facts) => [
    `${facts.address ?? facts.server} failed (HTTP ${facts.evidence?.httpStatus ?? '5xx'})${toSaid(facts)}`,
    'The fault is on the side of the server or the proxy in front of it: read its log, then try again.',
  ],
  legacy_transport: (facts) => [
    `${facts.address ?? facts.server} speaks the older HTTP+SSE transport, not Streamable HTTP`,
    'Set transport to sse on the settings of the server, or use the address of its Streamable HTTP endpoint.',
  ],
  endpoint_elsewhere: (facts) => [
    `${facts.address ?? facts.server} names an endpoint of another origin${toSaid(facts)}; nothing was sent there`,
    'If the server stands behind a proxy, tell it its public address (its base URL, or the forwarded host and scheme), so that it names an endpoint of the origin that it is reached by.',
  ],
  subprotocol_refused: (facts) => [
    `${facts.address ?? facts.server} opens a WebSocket, but does not select the subprotocol mcp${toSaid(facts)}`,
    'Give the address of the MCP endpoint of the server, or have it select the subprotocol mcp.',
  ],
  closed_by_server: (facts) => [
    `${facts.address ?? facts.server} closed the connection${toSaid(facts)}`,
    'The next call opens it again. If it stays so, read the log of the server.',
  ],
  closed_for_policy: (facts) => [
    `${facts.address ?? facts.server} does not accept this connection and closed it${toSaid(facts)}`,
    'Check the token, the headers and the rights of the account. It is not tried again by itself: test the server once that is mended.',
  ],
  no_shared_revision: (facts) => toRevisionSentences(facts, findSharedRevisions(facts.said ?? facts.evidence?.detail ?? '')),
  protocol_error: (facts) => [
    `${facts.server} answered something that is not valid MCP${toSaid(facts)}`,
    'Update the server, or show its author what it answered.',
  ],
  list_hangs: (facts) => [
    `${facts.server} answered the handshake but not tools/list${
      facts.waitedMs === undefined ? '' : ` within ${formatDuration(facts.waitedMs)}`
    }${toSaid(facts)}`,
    'Read its log: it may wait for a service it needs. Raise connect_s on its limits if it is only slow.',
  ],
  list_failed: (facts) => [
    `${facts.server} could not list its tools${toSaid(facts)}`,
    'Read the log of the server; update it if the fault is its own.',
  ],
  session_lost: (facts) => [
    `${facts.address ?? facts.server} no longer knows the session`,
    'Nothing to do: the next call opens a new session.',
  ],
  disabled: (facts) => [`${facts.server} is disabled`, 'Enable the server to use it.'],
  cancelled: (facts) => [`The connection to ${facts.server} was given up before it was set up`, 'Try again when it is wanted.'],
  internal: (facts) => [
    `The console failed while connecting to ${facts.server}${toSaid(facts)}`,
    'Try again; if it stays so, report it with the log of the console.',
  ],
};

/** @param shared those that the server names and the console speaks: then it is not for want of one that it refused */
function toRevisionSentences(facts: FailureFacts, shared: readonly string[]): Sentences {
  if (shared.length === 0) {
    return [
      `${facts.server} and the console share no revision of the protocol${toSaid(facts)}; the console speaks ${REVISIONS.join(', ')}`,
      'Update the server, or set era to auto if it was set to one that the server does not speak.',
    ];
  }
  return [
    `${facts.server} refused the revision of the protocol that it was spoken to in${toSaid(facts)}`,
    `The console speaks ${shared.join(', ')} as well: set era to auto if it is set to another era. If it is auto, the server refuses what it names itself: update it.`,
  ];
}

const ended = (sentence: string): string => (/[.!?…]$/.test(sentence) ? sentence : `${sentence}.`);

/** A failure with the sentences of its kind: what happened, to what, and what to do. */
export function explainFailure(code: ConnectFailureCode, facts: FailureFacts): ConnectFailure {
  const [message, remediation] = SENTENCES[code](facts);
  const { stage, evidence = {}, retryAfterMs } = facts;
  return { stage, code, message: ended(message), remediation, evidence, ...(retryAfterMs !== undefined && { retryAfterMs }) };
}
