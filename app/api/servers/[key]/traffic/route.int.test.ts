import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Role } from '@/lib/auth';
import { Redactor, runIds, systemClock } from '@/lib/core';
import { createLogger } from '@/lib/log';
import { TrafficBook } from '@/lib/pool/node';
import { parseServerEntry } from '@/lib/servers';
import { SecretRedactor } from '@/lib/vault/node';
import { GET } from './route';

const opened = vi.hoisted(() => ({ runtime: Promise.resolve<unknown>(null) }));
vi.mock('@/lib/boot.instance', () => ({ runtime: () => opened.runtime }));

const ORIGIN = 'http://127.0.0.1:4299';
let role: Role;
let traffic: TrafficBook;

beforeEach(() => {
  role = 'operator';
  const entry = parseServerEntry({ key: 'one', command: 'x' });
  if (!entry.ok) throw new Error('no entry');
  traffic = new TrafficBook({ clock: systemClock, publish: () => undefined, redactor: new Redactor(['canary-in-the-vault']) });
  opened.runtime = Promise.resolve({
    env: { host: '127.0.0.1', port: 4299, allowedHosts: [] },
    accounts: { principalFor: async () => ({ actor: { kind: 'person', name: 'ana@example.org' }, role, sessionRunId: runIds.create() }) },
    audit: { writerFor: () => () => undefined },
    log: createLogger({ level: 'info', redactor: new SecretRedactor(), destination: 'stderr', write: () => undefined }),
    servers: { find: (key: string) => (key === 'one' ? { entry: entry.value } : undefined) },
    traffic,
  });
  const { onWire } = traffic.record({ keys: () => [entry.value.key], purpose: 'shared', secretValues: [] });
  for (let id = 1; id <= 5; id += 1) {
    const text = JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { text: 'canary-in-the-vault' } });
    onWire('sent', text, text.length);
  }
});

const ask = async (search = '', key = 'one') =>
  GET(new Request(`${ORIGIN}/api/servers/${key}/traffic${search}`, { headers: { host: '127.0.0.1:4299', origin: ORIGIN } }), { params: Promise.resolve({ key }) });
const numbersOf = async (response: Response) => ((await response.json()) as { rows: { number: number }[] }).rows.map(({ number }) => number);

describe('the route of the traffic', () => {
  it.each<Role>(['viewer', 'analyst'])('tells a %s in a sentence who may see it, and nothing else', async (asking) => {
    role = asking;
    const refused = await ask('?texts=1');
    expect(refused.status).toBe(403);
    const said = await refused.text();
    expect(JSON.parse(said)).toMatchObject({ message: `This needs the role operator; you are signed in as ${asking}.` });
    expect(said).not.toContain('tools/call');
  });

  it.each<Role>(['operator', 'admin'])('gives it to an %s, never to be cached', async (asking) => {
    role = asking;
    const answer = await ask();
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await numbersOf(answer)).toEqual([1, 2, 3, 4, 5]);
  });

  it('reads on from a number, and gives texts without secrets where they are asked for', async () => {
    expect(await numbersOf(await ask('?after=3&limit=1'))).toEqual([4]);
    expect(await (await ask()).text()).not.toContain('params');
    const texts = await (await ask('?texts=1')).text();
    expect(texts).toContain('[redacted]');
    expect(texts).not.toContain('canary');
  });

  it('names what cannot be read in the address, and a server that is not there', async () => {
    for (const wrong of ['?limit=0', '?limit=501', '?after=-1', '?after=x']) expect((await ask(wrong)).status).toBe(400);
    expect((await ask('', 'two')).status).toBe(404);
  });
});
