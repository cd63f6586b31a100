import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { hostname, networkInterfaces } from 'node:os';
import type { ServerEntry } from '@/lib/servers';
import type { Destination } from '..';

const LOOK_UP_MS = 2_000;

/**
 * Where a server is, for the disclosure.
 * @param url as it resolves now; null for a process, or where it does not resolve
 * @param saysExternal whether its manifest says that it passes on what it is sent
 */
export async function toDestination(entry: ServerEntry, url: URL | null, saysExternal: boolean): Promise<Destination> {
  const isProcess = entry.transport === 'stdio';
  return {
    serverKey: entry.key,
    label: entry.label,
    host: isProcess ? hostname() : url === null ? 'an address that does not resolve' : toHost(url),
    thisMachine: isProcess || (url !== null && (await isThisMachine(url.hostname.replace(/^\[|\]$/g, '')))),
    external: entry.external || saysExternal,
  };
}

const toHost = (url: URL): string => `${url.hostname}:${url.port || (url.protocol === 'https:' || url.protocol === 'wss:' ? '443' : '80')}`;

async function isThisMachine(host: string): Promise<boolean> {
  if (host === 'localhost' || host.endsWith('.localhost') || host === hostname()) return true;
  const addresses = isIP(host) === 0 ? await lookUp(host) : [host];
  return addresses.length > 0 && addresses.every(isOwnAddress);
}

/** A name that does not resolve in time is not known to be this machine. */
async function lookUp(host: string): Promise<readonly string[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<readonly string[]>((resolve) => (timer = setTimeout(resolve, LOOK_UP_MS, [])));
  const found = lookup(host, { all: true }).then((all) => all.map(({ address }) => address), () => []);
  return Promise.race([found, late]).finally(() => clearTimeout(timer));
}

function isOwnAddress(address: string): boolean {
  if (/^127\.|^::1$|^::ffff:127\./i.test(address)) return true;
  return Object.values(networkInterfaces()).some((list) => list?.some((own) => own.address === address) === true);
}
