import { pathToFileURL } from 'node:url';
import {
  Client, ProtocolError, type jsonSchemaValidator, type JsonSchemaValidatorResult, type VersionNegotiationOptions,
} from '@modelcontextprotocol/client';
import type { TransportKind } from '@/lib/servers';

/** The longest that a timer can wait, ms: our own clocks end requests, by signal, and the library's never do. */
export const NEVER_MS = 2_147_483_647;
/** Product section 2.1: a server that is silent for so long on the probe is a legacy one. */
const PROBE_MS = 2_000;
const MODERN_REVISION = '2026-07-28';
const DECLINED = -1;

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

function toNegotiation(mode: NegotiationMode, kind: TransportKind): VersionNegotiationOptions {
  switch (mode) {
    case 'legacy':
      return { mode: 'legacy' };
    case 'modern':
      return { mode: { pin: MODERN_REVISION }, probe: { timeoutMs: NEVER_MS } };
    case 'auto':
      return { mode: 'auto', probe: { timeoutMs: kind === 'stdio' || kind === 'websocket' ? PROBE_MS : NEVER_MS } };
  }
}

interface ClientWishes {
  readonly mode: NegotiationMode;
  readonly kind: TransportKind;
  /** The only root; null where the server is told none. */
  readonly jobDirectory: string | null;
  /** Where something the server asked for is told. */
  readonly note: (text: string) => void;
}

/** The library's client, set up to answer what servers ask for (product section 2.3). A new one for each attempt. */
export function createClient({ mode, kind, jobDirectory, note }: ClientWishes): Client {
  const client = new Client(
    { name: 'signalbox', title: 'Signalbox', version: '0.1.0' },
    {
      capabilities: { roots: {}, elicitation: { form: {}, url: {} }, sampling: {} },
      versionNegotiation: toNegotiation(mode, kind),
      jsonSchemaValidator: acceptsAll,
    },
  );
  client.setRequestHandler('roots/list', () => ({
    roots: jobDirectory === null ? [] : [{ uri: pathToFileURL(jobDirectory).href, name: 'job directory' }],
  }));
  client.setRequestHandler('elicitation/create', (request) => {
    note(`The server asked for input ("${request.params.message}"); it was declined, since nobody is there to answer.`);
    return { action: 'decline' as const };
  });
  client.setRequestHandler('sampling/createMessage', () => {
    note('The server asked for a model to write something; it was declined, since nobody is there to approve it.');
    throw new ProtocolError(DECLINED, 'sampling was declined');
  });
  return client;
}
