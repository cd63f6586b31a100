import { explainFailure, type ConnectFailure } from '../..';
import { DecodeFailure } from './decode-body';
import { parseFrame } from './frame';
import { readMessages, type MessageSink } from './http-messages';
import { REFUSAL_BODY_BYTES, toHttpFailure, type Subject } from './http-refusal';
import type { Sending } from './http-sending';
import { findMediaType, isEventStream } from './http-stream';
import { readBeginning, readBounded } from './read-bounded';
import type { RemoteOptions } from './remote-options';
import { WireRefusal } from './transport';
import { NotUtf8 } from './utf8';

interface AnswerOptions extends Pick<RemoteOptions, 'limitBytes' | 'scrub'> {
  readonly subject: Subject;
  readonly sink: MessageSink;
  readonly readStream: (response: Response, sending: Sending) => Promise<void>;
  /** Whether an answer can come over the push stream. */
  readonly hasPushes: () => boolean;
  readonly onAnsweredElsewhere: (sending: Sending) => void;
  /** Takes the id of the session out of what a refusal repeats. */
  readonly withoutSession: (text: string) => string;
}

/** How long the body of a refusal, or of what is nobody's answer, is waited for. */
const PATIENCE_MS = 3_000;
/** What the library is told for whatever is read here. */
const accepted = (response: Response): Response => new Response(null, { status: 202, headers: response.headers });

/**
 * Takes what a POST came back with, and prepares its reading; what is returned lets the library go on, or raise its own
 * error.
 * @throws WireRefusal where a handshake was answered by something else than an MCP server
 */
export async function takeAnswer(response: Response, sending: Sending, options: AnswerOptions): Promise<Response> {
  if (!response.ok) return takeRefusal(response, sending, options);
  const { id } = sending;
  if (id === null) return takeAcknowledgement(response, options);
  if (isEventStream(response)) {
    sending.read = () => options.readStream(response, sending);
    return accepted(response);
  }
  if (response.status === 202 && options.hasPushes()) {
    options.onAnsweredElsewhere(sending);
    return takeAcknowledgement(response, options);
  }
  await takeBody(response, sending, options);
  return accepted(response);
}

/** Nothing comes back for a notification but that it arrived; what a server says beside that is let go. */
function takeAcknowledgement(response: Response, { sink }: AnswerOptions): Response {
  const { status } = response;
  if (status !== 202) sink.listener?.onRemark(`it acknowledges notifications with HTTP ${status}, where 202 is due; that is put up with`, 'note', 'acknowledgement');
  // Read to its end, so that the socket can serve again.
  void readBeginning(response, REFUSAL_BODY_BYTES, PATIENCE_MS);
  return accepted(response);
}

/** An answer that is one body: JSON, whatever it is labelled, but never a web page. */
async function takeBody(response: Response, sending: Sending, options: AnswerOptions): Promise<void> {
  const { sink, limitBytes } = options;
  const type = findMediaType(response);
  const refuse = (reason: string, body: string): void => refuseBody(response, reason, body, sending, options);
  if (type === 'text/html') {
    const page = await readBeginning(response, REFUSAL_BODY_BYTES, PATIENCE_MS);
    return refuse(`it is a web page (HTTP ${response.status})`, page);
  }
  const body = await readWhole(response, sending, options);
  if (body === null) return;
  if (body.text === null) {
    sink.listener?.onWire('received', body.beginning, body.sizeBytes);
    sending.read = () => later(() => sink.listener?.onTooLarge(sending.id, body.sizeBytes, limitBytes));
    return;
  }
  const { text } = body;
  const { id } = sending;
  if (id === null) return;
  if (text.trim() === '') return refuse(`it is empty (HTTP ${response.status})`, '');
  const { kind } = parseFrame(text);
  const claims = kind !== 'stray';
  if (type !== 'application/json') {
    const label = type === '' ? 'without a content type' : `as ${type}`;
    if (!claims) return refuse(`it came ${label} and is no JSON-RPC message`, text);
    sink.listener?.onRemark(`it sends JSON-RPC messages ${label}, where application/json is due; they are read all the same`, 'warning', 'content type');
  }
  if (!claims && sending.isHandshake) return refuse('it is no JSON-RPC message', text);
  sending.read = () => later(() => readMessages(text, { kind: 'body', id }, sink));
}

/** Runs when the library has seen the head; in a promise of its own, so that the stack of `send` is left. */
async function later(run: () => void): Promise<void> {
  await Promise.resolve();
  run();
}

/** The body; null where it cannot be decoded or is no UTF-8, which is told. */
async function readWhole(response: Response, sending: Sending, options: AnswerOptions) {
  try {
    return await readBounded(response, options.limitBytes, (sizeBytes) => {
      sending.bodyBytes = sizeBytes;
      if (sending.id !== null) options.sink.listener?.onBytes?.(sending.id);
    });
  } catch (error) {
    if (!(error instanceof DecodeFailure || error instanceof NotUtf8)) throw error;
    refuseBody(response, error.message, '', sending, options);
    return null;
  } finally {
    sending.bodyBytes = 0;
  }
}

/**
 * The answer can settle nothing: on a handshake that says that this is no endpoint of ours, later it ends its request.
 * @throws WireRefusal on a handshake
 */
function refuseBody(response: Response, reason: string, said: string, sending: Sending, { sink, subject, scrub, withoutSession }: AnswerOptions): void {
  const body = withoutSession(said);
  sink.listener?.onWire('received', `HTTP ${response.status} ${response.statusText}\n${body}`);
  const { id } = sending;
  if (sending.isHandshake) throw new WireRefusal(toHandshakeFailure(response, reason, scrub(body), subject), false, undefined, null);
  sending.read = () => later(() => sink.listener?.onUnusable(id, reason, body));
}

function toHandshakeFailure(response: Response, reason: string, body: string, subject: Subject): ConnectFailure {
  if (/cannot be decoded|is not UTF-8/.test(reason)) {
    return explainFailure('protocol_error', { stage: 'http', ...subject, said: reason, evidence: { httpStatus: response.status, detail: reason } });
  }
  return toHttpFailure({ status: response.status, headers: response.headers, body }, subject);
}

/** Codes of the modern era for requests that were refused unread: they come in the body of a 400 or 404. */
async function takeRefusal(response: Response, sending: Sending, { sink, scrub, withoutSession }: AnswerOptions): Promise<Response> {
  const body = withoutSession(await readBeginning(response, REFUSAL_BODY_BYTES, PATIENCE_MS));
  sending.refused = { status: response.status, headers: response.headers, body: scrub(body) };
  const frame = parseFrame(body);
  const { id } = sending;
  const isForUs = id !== null && frame.kind === 'message' && 'error' in frame.message && String(frame.message.id) === String(id);
  if (isForUs && carriesRpcErrors(response.status, body, sending)) {
    sending.read = () => later(() => readMessages(body, { kind: 'body', id }, sink));
    return accepted(response);
  }
  sink.listener?.onWire('received', `HTTP ${response.status} ${response.statusText}\n${body}`);
  return new Response(body, { status: response.status, statusText: response.statusText, headers: response.headers });
}

/**
 * Whether a JSON-RPC error for this very request, in the body of a refusal, is its answer: from a server that puts its
 * errors into a 5xx, and in the modern era in 400 and 404. Refusals of the session or the account stay refusals.
 */
function carriesRpcErrors(status: number, body: string, { isModern, hadSession }: Sending): boolean {
  if (status >= 500) return true;
  if (isModern) return status === 400 || status === 404;
  if (status === 400) return !/session/i.test(body);
  return status === 404 && !hadSession;
}
