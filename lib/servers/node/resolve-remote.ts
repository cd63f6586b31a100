import { readFileSync } from 'node:fs';
import { isSecretName } from '@/lib/core';
import { checkHeaderValue, findUrlProblem, missingSecretSentence, type RemoteEntry, type ResolvedTransport } from '..';
import type { FieldExpander } from './field-expander';
import { findProxy } from './find-proxy';

type RemoteTransport = Exclude<ResolvedTransport, { kind: 'stdio' }>;

/** How a remote server is reached; null where its url is none, with the error kept in the expander. */
export function resolveRemote(
  entry: RemoteEntry,
  environment: Readonly<Record<string, string>>,
  expander: FieldExpander,
): RemoteTransport | null {
  const url = resolveUrl(entry.url, expander);
  const headers = resolveHeaders(entry, expander);
  const tls = resolveTls(entry, expander);
  if (!url) return null;
  const proxy = resolveProxy(entry, url, environment, expander);
  return { kind: kindOf(url, entry), url, headers, tls, proxy };
}

/** A url that begins with a variable shows its scheme only now. */
function kindOf(url: URL, entry: RemoteEntry): RemoteTransport['kind'] {
  if (url.protocol === 'ws:' || url.protocol === 'wss:') return 'websocket';
  return entry.transport === 'websocket' ? 'http' : entry.transport;
}

function resolveUrl(written: string, expander: FieldExpander): URL | null {
  const errorsBefore = expander.errors.length;
  const text = expander.expand('url', written).trim();
  if (expander.errors.length > errorsBefore) return null;
  const problem = findUrlProblem(text);
  if (problem === null) {
    const url = new URL(text);
    for (const [name, value] of url.searchParams) if (isSecretName(name)) expander.keepSecret(value);
    return url;
  }
  expander.fail('url', problem);
  return null;
}

function resolveHeaders(entry: RemoteEntry, expander: FieldExpander): Readonly<Record<string, string>> {
  const headers: Record<string, string> = {};
  for (const [name, written] of Object.entries(entry.headers)) {
    const value = expander.expand(`headers.${name}`, written).trim();
    for (const error of checkHeaderValue(name, value)) expander.fail(error.field, error.message);
    if (isSecretName(name)) expander.keepSecret(value.replace(/^(?:Bearer|Basic|Token)\s+/i, ''));
    headers[name] = value;
  }
  const token = resolveToken(entry, expander);
  return token === null ? headers : { ...headers, Authorization: `Bearer ${token}` };
}

function resolveToken(entry: RemoteEntry, expander: FieldExpander): string | null {
  const [field, value] =
    entry.token_env !== undefined
      ? (['token_env', readTokenVariable(entry.token_env, expander)] as const)
      : entry.auth.kind === 'bearer'
        ? (['auth', readTokenSecret(entry.auth.secret, expander)] as const)
        : (['auth', null] as const);
  const token = value?.trim() ?? null;
  if (token === null) return null;
  expander.keepSecret(token);
  if (checkHeaderValue('Authorization', token).length > 0) {
    const why = 'it has a line break, or a character outside Latin-1, in it';
    expander.fail(field, `${field} names a token that a header cannot carry: ${why}. Store it again.`);
  }
  return token;
}

function readTokenVariable(name: string, expander: FieldExpander): string | null {
  const value = expander.findVariable(name);
  if (value !== undefined && value.trim() !== '') return value;
  const state = value === undefined ? 'not set' : 'empty';
  expander.fail(
    'token_env',
    `token_env names the variable ${name}, which is ${state} in the environment that the console was started with. ` +
      'Set it and start the console again.',
  );
  return null;
}

function readTokenSecret(name: string, expander: FieldExpander): string | null {
  const value = expander.findSecret(name);
  if (value !== undefined) return value;
  expander.fail('auth.secret', missingSecretSentence('auth', name));
  return null;
}

function resolveTls(entry: RemoteEntry, expander: FieldExpander): RemoteTransport['tls'] {
  const read = (name: 'ca' | 'cert' | 'key'): string | undefined => {
    const written = entry.tls?.[name];
    if (written === undefined || written === '') return undefined;
    const text = expander.expand(`tls.${name}`, written);
    const pem = text.includes('-----BEGIN') ? text : readPemFile(`tls.${name}`, text, expander);
    if (name === 'key' && pem !== undefined) expander.keepSecret(pem);
    return pem;
  };
  const [ca, cert, key] = [read('ca'), read('cert'), read('key')];
  return {
    ...(ca !== undefined && { ca }),
    ...(cert !== undefined && { cert }),
    ...(key !== undefined && { key }),
    insecure: entry.tls?.insecure === true,
  };
}

function readPemFile(field: string, path: string, expander: FieldExpander): string | undefined {
  if (path === '') return undefined;
  try {
    return readFileSync(path, 'utf8');
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unreadable';
    expander.fail(field, `The file that ${field} names cannot be read (${code}). Correct the path, or paste the PEM text.`);
    return undefined;
  }
}

function resolveProxy(
  entry: RemoteEntry,
  url: URL,
  environment: Readonly<Record<string, string>>,
  expander: FieldExpander,
): string | null {
  const errorsBefore = expander.errors.length;
  const proxy = entry.proxy === undefined ? findProxy(url, environment) : expander.expand('proxy', entry.proxy);
  if (proxy === null || expander.errors.length > errorsBefore) return proxy;
  const address = URL.canParse(proxy) ? new URL(proxy) : null;
  if (address?.protocol !== 'http:' && address?.protocol !== 'https:') {
    expander.fail('proxy', 'The proxy is no http:// or https:// url. Write one such as http://proxy.example:3128.');
  } else {
    expander.keepSecret(address.password);
  }
  return proxy;
}
