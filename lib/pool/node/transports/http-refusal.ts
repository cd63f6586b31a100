import { assertNever, isObject } from '@/lib/core';
import { explainFailure, isAboutRevisions, type ConnectFailure, type ConnectFailureCode, type Evidence, type Stage } from '../..';
import { AddressNotAllowed } from './addresses';
import { findTokenParameter } from './challenges';
import { decideAnswerer, isHtml, orTheProxy } from './proxy-answer';
import { findRetryAfterMs } from './retry-after';
import { WireRefusal } from './transport';
import { findTlsFailure, toTlsWords } from './tls-errors';
import { isProxyFault } from './tunnel';

/** How much of a refusal's body is read, and how much of it is kept as evidence. */
export const REFUSAL_BODY_BYTES = 64 * 1024;
const EVIDENCE_LENGTH = 2_000;
/** The headers of a refusal that say who refuses, and what is asked for. */
const SHOWN_HEADERS = ['www-authenticate', 'via', 'proxy-status', 'x-squid-error'] as const;

/** An HTTP answer that is not the one asked for, its body bounded. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
}

export interface Subject {
  readonly server: string;
  /** Without user, password and query. */
  readonly address: string;
  /** Host and port of the proxy that it is reached through; absent where there is none. */
  readonly proxy?: string;
}

/** What the failures of a transport are about. */
export const toSubject = ({ server, url, proxy }: { readonly server: string; readonly url: URL; readonly proxy: string | null }): Subject => ({
  server, address: `${url.origin}${url.pathname}`, ...(proxy !== null && { proxy: new URL(proxy).host }),
});

/** The codes of Node and OpenSSL for what goes wrong before an answer. */
const SYSTEM_CODES: Readonly<Record<string, readonly [ConnectFailureCode, Stage]>> = {
  ENOTFOUND: ['host_unknown', 'resolve'],
  EAI_AGAIN: ['host_unknown', 'resolve'],
  ADDRESS_NOT_ALLOWED: ['address_not_allowed', 'resolve'],
  ECONNREFUSED: ['refused', 'connect'],
  EHOSTUNREACH: ['timed_out', 'connect'],
  ENETUNREACH: ['timed_out', 'connect'],
  ETIMEDOUT: ['timed_out', 'connect'],
  ECONNRESET: ['connection_reset', 'http'],
  EPIPE: ['connection_reset', 'http'],
  PROXY_REFUSED: ['proxy_in_the_way', 'connect'],
};

/** A failure of the system or of TLS, told apart by its code; an error without one is taken as a broken connection. */
export function toNetworkFailure(error: unknown, subject: Subject): ConnectFailure {
  const [code, stage] = findKnown(error) ?? ['connection_reset', 'http'];
  const detail = toDetail(error);
  if (code === 'proxy_in_the_way') {
    return explainFailure(code, { stage, ...subject, said: detail.replace(`the proxy ${subject.proxy} `, 'it '), evidence: { detail, ...toCertificate(error) } });
  }
  return explainFailure(code, { stage, ...subject, said: code === 'refused' || code === 'host_unknown' ? undefined : detail, evidence: { detail, ...toCertificate(error) } });
}

function findKnown(error: unknown): readonly [ConnectFailureCode, Stage] | undefined {
  if (!(error instanceof Error)) return undefined;
  if (isProxyFault(error)) return SYSTEM_CODES.PROXY_REFUSED;
  if (error instanceof AddressNotAllowed) return SYSTEM_CODES.ADDRESS_NOT_ALLOWED;
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  // What answers speaks something else than HTTP.
  if (code.startsWith('HPE_')) return ['not_an_mcp_endpoint', 'http'];
  return findTlsFailure(error, code) ?? SYSTEM_CODES[code] ?? findKnown(error.cause);
}

const toDetail = (error: unknown): string => {
  if (!(error instanceof Error)) return String(error);
  // Of several addresses tried, each with its own error, the first says enough.
  if (error instanceof AggregateError && error.message === '') return toDetail(error.errors[0]);
  return toTlsWords(error.message.split('\n', 1)[0] ?? '');
};

function toCertificate(error: unknown): Evidence {
  const found = isObject(error) && isObject(error.cert) ? error.cert : null;
  if (found === null) return {};
  const textOf = (value: unknown) => (typeof value === 'string' ? value : '');
  return {
    certificate: {
      subject: isObject(found.subject) ? textOf(found.subject.CN) : '',
      issuer: isObject(found.issuer) ? textOf(found.issuer.CN) : '',
      validTo: textOf(found.valid_to),
    },
  };
}

/** What a status says, with the first part of the body as evidence; of a proxy that answered itself, or may have, it is said. */
export function toHttpFailure(answer: HttpAnswer, subject: Subject): ConnectFailure {
  const { proxy } = subject;
  if (proxy === undefined || answer.status === 407) return toServerFailure(answer, subject);
  const answerer = decideAnswerer(answer, subject.address);
  switch (answerer.who) {
    case 'server':
      return toServerFailure(answer, subject);
    case 'either':
      return orTheProxy(toServerFailure(answer, subject), proxy);
    case 'proxy':
      return explainFailure('proxy_in_the_way', { stage: 'connect', ...subject, said: answerer.said, evidence: toEvidence(answer) });
    default:
      return assertNever(answerer);
  }
}

/** Whether it is the proxy's word, so that of the server nothing was heard. */
export const isOfProxy = (answer: HttpAnswer, subject: Subject): boolean => toHttpFailure(answer, subject).code === 'proxy_in_the_way';

function toEvidence({ status, headers, body }: HttpAnswer): Evidence {
  const shown = SHOWN_HEADERS.filter((name) => headers.has(name)).map((name): [string, string] => [name, (headers.get(name) ?? '').slice(0, EVIDENCE_LENGTH)]);
  return {
    httpStatus: status,
    contentType: headers.get('content-type') ?? undefined,
    body: body.slice(0, EVIDENCE_LENGTH),
    ...(shown.length > 0 && { headers: Object.fromEntries(shown) }),
  };
}

function toServerFailure(answer: HttpAnswer, subject: Subject): ConnectFailure {
  const { status, headers } = answer;
  const evidence = toEvidence(answer);
  const explain = (code: ConnectFailureCode, stage: Stage, said?: string) =>
    explainFailure(code, { stage, ...subject, evidence, said, retryAfterMs: findRetryAfterMs(headers, Date.now()) ?? undefined, scope: findScope(headers) });
  const words = isHtml(answer) ? undefined : findWords(answer.body);
  if (status === 401) return explain('unauthorized', 'auth', words);
  if (status === 403) return explain('forbidden', 'auth', words);
  // As nginx says it: to it the handshake was a good one.
  if (status === 400 && /(?:required SSL certificate|SSL certificate error)/i.test(answer.body)) return explain('tls_client_certificate', 'http');
  if (status === 406) return explain('not_acceptable', 'http', words);
  if (status === 407) return explain('proxy_in_the_way', 'connect', 'it asks for a sign-in (HTTP 407)');
  if (status === 429) return explain('too_many_requests', 'http');
  if (status >= 500) return explain('server_error', 'http', words);
  if (isHtml(answer)) return explain('not_an_mcp_endpoint', 'http', status >= 400 ? `a web page with HTTP ${status}` : 'a web page');
  if (status === 400 && isAboutRevisions(answer.body)) return explain('no_shared_revision', 'negotiate', words);
  if (status >= 400) return explain('not_an_mcp_endpoint', 'http', words ? `HTTP ${status}, ${words}` : `HTTP ${status}`);
  return explain('not_an_mcp_endpoint', 'http', `HTTP ${status} with ${evidence.contentType ?? 'no content type'}`);
}

/**
 * Statuses that refuse a request before anything was done for it (product section 6.3; a lost session has its own). Of
 * any other nothing proves that.
 */
const UNREAD: ReadonlySet<number> = new Set([401, 403, 429]);

/** A send that ended with such an answer, or without any. */
export function toRefusal(error: unknown, answer: HttpAnswer | null, wasSent: boolean, subject: Subject): WireRefusal {
  if (answer === null) return new WireRefusal(toNetworkFailure(error, subject), !wasSent, undefined, error);
  const failure = toHttpFailure(answer, subject);
  // A revision is refused by its header, before the body is looked at.
  const isUnread = UNREAD.has(answer.status) || failure.code === 'no_shared_revision';
  return new WireRefusal(failure, isUnread, findRetryAfterMs(answer.headers, Date.now()) ?? undefined, error);
}

/** The scope that a challenge asks for (RFC 6750). */
const findScope = (headers: Headers): string | undefined => findTokenParameter(headers.get('www-authenticate') ?? '', 'scope');

/** The message of a JSON error, or the beginning of a plain text. */
function findWords(body: string): string | undefined {
  const text = body.trim();
  if (text === '') return undefined;
  try {
    const value: unknown = JSON.parse(text);
    const error = isObject(value) && isObject(value.error) ? value.error : value;
    if (isObject(error)) {
      const words = [error.message, error.error_description, error.detail, isObject(value) ? value.error : null].find((word) => typeof word === 'string');
      if (typeof words === 'string') return words;
    }
  } catch {
    // Plain text speaks for itself.
  }
  return text.slice(0, 200);
}
