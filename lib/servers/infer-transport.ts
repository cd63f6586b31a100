import { err, ok, type FieldError, type Result } from '@/lib/core';
import { TRANSPORTS, type TransportKind } from './transports';

const SCHEME = /^([a-z][a-z0-9+.-]*):\/\//i;

/** How a server is reached, from what its entry states; a contradiction is an error (product section 1). */
export function inferTransport(stated: {
  readonly transport: unknown;
  readonly command: unknown;
  readonly url: unknown;
}): Result<TransportKind, FieldError> {
  const { transport, command, url } = stated;
  const fail = (field: string, message: string) => err({ field, message });
  if (command !== undefined && url !== undefined) {
    return fail('url', 'An entry has a command or a url, not both: keep the one by which the server is reached.');
  }
  if (command === undefined && url === undefined) {
    return transport === undefined || transport === 'stdio'
      ? fail('command', 'Say how the server is reached: write a command that starts it, or a url.')
      : fail('url', 'Write the url of the server.');
  }
  if (transport !== undefined && !isTransport(transport)) {
    const words = TRANSPORTS.map((name) => `"${name}"`).join(' or ');
    return fail('transport', `transport cannot be this: write ${words}, or leave it out.`);
  }
  const inferred = command !== undefined ? 'stdio' : inferFromUrl(url);
  if (transport === undefined || transport === inferred || (transport === 'sse' && inferred === 'http')) {
    return ok(transport ?? inferred);
  }
  if (typeof url === 'string' && url.startsWith('${') && transport !== 'stdio') return ok(transport);
  return fail('transport', contradictionSentence(transport, inferred));
}

const isTransport = (value: unknown): value is TransportKind => TRANSPORTS.some((name) => name === value);

const inferFromUrl = (url: unknown): TransportKind => {
  const scheme = typeof url === 'string' ? SCHEME.exec(url.trim())?.[1]?.toLowerCase() : undefined;
  return scheme === 'ws' || scheme === 'wss' ? 'websocket' : 'http';
};

function contradictionSentence(stated: TransportKind, inferred: TransportKind): string {
  const reached = inferred === 'stdio' ? 'a command' : inferred === 'websocket' ? 'a ws:// url' : 'an http:// url';
  return `The transport "${stated}" contradicts the entry, which has ${reached}. Leave transport out, or write "${inferred}".`;
}
