import { pathToFileURL } from 'node:url';
import {
  Client, ProtocolError, type CreateMessageResult, type ElicitResult, type jsonSchemaValidator, type JsonSchemaValidatorResult,
  type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import { isObject, type JsonObject } from '@/lib/core';
import type { TransportKind } from '@/lib/servers';
import { toJsonObject } from '../seam/ask';
import { fillDefaults, type Elicitation, type ElicitationAnswer, type SamplingAnswer, type ServerRequestHooks } from '../seam/server-requests';

/** The longest that a timer can wait, ms: our own clocks end requests, by signal, and the library's never do. */
export const NEVER_MS = 2_147_483_647;
/** Product section 2.1: a server that is silent for so long on the probe is a legacy one. */
const PROBE_MS = 2_000;
/** Over HTTP a server may have to be woken first; of a short clock the probe leaves the half to `initialize`. */
const HTTP_PROBE_MS = 5_000;
/** One that answered the probe before is slow rather than a legacy one. */
const KNOWN_MODERN_PROBE_MS = 10_000;
export const MODERN_REVISION = '2026-07-28';
const DECLINED = -1;
const INVALID_PARAMS = -32_602;

export type NegotiationMode = 'auto' | 'legacy' | 'modern';

/** Output schemas are strangers' code: the library is kept from compiling them, and nothing is thrown away for them. */
const acceptsAll: jsonSchemaValidator = {
  getValidator: <T>() => (value: unknown): JsonSchemaValidatorResult<T> => ({
    valid: true,
    // The interface promises the schema's type for what it let pass; nobody reads it from here.
    data: value as T,
    errorMessage: undefined,
  }),
};

function findProbeMs({ kind, isKnownModern, connectMs }: Pick<ClientWishes, 'kind' | 'isKnownModern' | 'connectMs'>): number {
  if (kind === 'stdio' || kind === 'websocket') return isKnownModern ? KNOWN_MODERN_PROBE_MS : PROBE_MS;
  return Math.min(isKnownModern ? KNOWN_MODERN_PROBE_MS : HTTP_PROBE_MS, connectMs / 2);
}

function toNegotiation(wishes: Pick<ClientWishes, 'mode' | 'kind' | 'isKnownModern' | 'connectMs'>): VersionNegotiationOptions {
  switch (wishes.mode) {
    case 'legacy':
      return { mode: 'legacy' };
    case 'modern':
      return { mode: { pin: MODERN_REVISION }, probe: { timeoutMs: NEVER_MS } };
    case 'auto':
      return { mode: 'auto', probe: { timeoutMs: findProbeMs(wishes) } };
  }
}

interface ClientWishes extends ServerRequestHooks {
  readonly mode: NegotiationMode;
  readonly kind: TransportKind;
  /** An earlier probe found the modern era. */
  readonly isKnownModern: boolean;
  /** The clock of the whole set-up, ms. */
  readonly connectMs: number;
  /** The revisions to offer, newest first, where the server said that it takes no other; null for all. */
  readonly revisions: readonly string[] | null;
  /** The only root; null where the server is told none. */
  readonly jobDirectory: string | null;
  /** Where something the server asked for is told. */
  readonly note: (text: string) => void;
}

/** The library's client, set up to answer what servers ask for (product section 2.3). A new one for each attempt. */
export function createClient(wishes: ClientWishes): Client {
  const { revisions, jobDirectory, note, onElicitation, onSampling } = wishes;
  const client = new Client(
    { name: 'signalbox', title: 'Signalbox', version: '0.1.0' },
    {
      capabilities: { roots: {}, elicitation: { form: {}, url: {} }, sampling: {} },
      versionNegotiation: toNegotiation(wishes),
      ...(revisions !== null && { supportedProtocolVersions: [...revisions] }),
      jsonSchemaValidator: acceptsAll,
    },
  );
  client.setRequestHandler('roots/list', () => ({
    roots: jobDirectory === null ? [] : [{ uri: pathToFileURL(jobDirectory).href, name: 'job directory' }],
  }));
  client.setRequestHandler('elicitation/create', async ({ params }, context) => {
    const elicitation = toElicitation(toJsonObject(params));
    if (elicitation.mode === 'url' && !isWebAddress(elicitation.url)) throw new ProtocolError(INVALID_PARAMS, 'only addresses of the web can be opened');
    if (onElicitation) return toElicitResult(elicitation, await onElicitation(elicitation, context.mcpReq.signal));
    note(`The server asked for input ("${elicitation.message}"); it was declined, since nobody is there to answer.`);
    return { action: 'decline' };
  });
  client.setRequestHandler('sampling/createMessage', async ({ params }, context) => {
    if (onSampling) return toCreateMessageResult(await onSampling({ params: toJsonObject(params) }, context.mcpReq.signal));
    note('The server asked for a model to write something; it was declined, since nobody is there to approve it.');
    throw new ProtocolError(DECLINED, 'sampling was declined');
  });
  return client;
}

const isWebAddress = (url: string): boolean => URL.canParse(url) && /^https?:$/.test(new URL(url).protocol);

/** The library has validated the request. */
function toElicitation({ mode, message, url, requestedSchema }: JsonObject): Elicitation {
  const said = typeof message === 'string' ? message : '';
  if (mode === 'url' && typeof url === 'string') return { mode, message: said, url };
  return { mode: 'form', message: said, requestedSchema: isObject(requestedSchema) ? requestedSchema : {} };
}

function toElicitResult(elicitation: Elicitation, answer: ElicitationAnswer): ElicitResult {
  if (answer.action !== 'accept') return { action: answer.action };
  if (elicitation.mode === 'url') return { action: 'accept' };
  return { action: 'accept', content: toContent(fillDefaults(elicitation.requestedSchema, answer.content)) };
}

/** Forms have text, numbers, switches and lists of texts; the protocol knows no other answer. */
function toContent(content: JsonObject): NonNullable<ElicitResult['content']> {
  const isText = (value: unknown): value is string => typeof value === 'string';
  return Object.fromEntries(
    Object.entries(content).flatMap(([name, value]): [string, string | number | boolean | string[]][] => {
      if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean') return [[name, value]];
      return Array.isArray(value) && value.every(isText) ? [[name, [...value]]] : [];
    }),
  );
}

function toCreateMessageResult(answer: SamplingAnswer): CreateMessageResult {
  if (answer.action !== 'accept') throw new ProtocolError(DECLINED, `sampling was ${answer.action === 'cancel' ? 'cancelled' : 'declined'}`);
  return { role: 'assistant', model: answer.model, content: { type: 'text', text: answer.text }, stopReason: 'endTurn' };
}
