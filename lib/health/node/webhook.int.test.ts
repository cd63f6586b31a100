import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Database } from '@/db/client';
import { openTestDatabase } from '@/db/testing';
import { Redactor } from '@/lib/core';
import type { StateChange } from '..';
import { postJson } from './post-json';
import { Webhook, type WebhookOptions } from './webhook';

const SECRET = 'tok-5f0a9c2d4e';
let database: Database;
let listener: Server;
let origin: string;
let received: { readonly path: string; readonly body: string }[];
let answer: (request: IncomingMessage, response: ServerResponse) => void;
let webhook: Webhook;

beforeEach(async () => {
  database = openTestDatabase();
  received = [];
  answer = (_request, response) => response.writeHead(204).end();
  listener = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => (body += part.toString('utf8')));
    request.on('end', () => {
      received.push({ path: request.url ?? '', body });
      answer(request, response);
    });
  });
  await new Promise<void>((done) => listener.listen(0, '127.0.0.1', done));
  origin = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`;
});
afterEach(async () => {
  await webhook.close();
  listener.closeAllConnections();
  listener.close();
  database.close();
});

function open(address: string | undefined, options: Partial<WebhookOptions> = {}): Webhook {
  webhook = new Webhook({
    database, origin: 'http://127.0.0.1:4280', findAddress: () => address, isOn: () => true, redactor: new Redactor([SECRET]), firstWaitMs: 5, answerMs: 500,
    post: (url, body, signal) => postJson(url, body, {}, signal), onDelivered: () => undefined, log: { error: () => undefined }, ...options,
  });
  return webhook;
}

const change: StateChange = {
  id: 1, serverKey: 'files', at: 1_800_000_000_000, from: 'connected', to: 'failing', code: 'exited', message: `it said ${SECRET}`, remediation: 'Restart it.',
};
const settled = (count = 1) => expect.poll(() => webhook.list(9).length, { timeout: 10_000 }).toBe(count);

describe('the webhook', () => {
  it('posts a change as JSON, without secrets, and keeps that it was taken', async () => {
    open(`${origin}/hook?token=${SECRET}`).announce(change);
    await settled();
    expect(received.map(({ path }) => path)).toEqual([`/hook?token=${SECRET}`]);
    expect(JSON.parse(received[0]?.body ?? '')).toMatchObject({
      type: 'server.state_changed', server: 'files', from: 'connected', to: 'failing', at: '2027-01-15T08:00:00.000Z', code: 'exited',
      remediation: 'Restart it.', url: 'http://127.0.0.1:4280/servers/files',
    });
    expect(received[0]?.body).not.toContain(SECRET);
    expect(webhook.list(9)).toMatchObject([{ ok: true, attempts: 1, isTest: false }]);
  });

  it('tries again while the address fails, a bounded number of times', async () => {
    answer = (_request, response) => response.writeHead(received.length < 3 ? 503 : 200).end();
    open(origin).announce(change);
    await settled();
    expect(webhook.list(1)).toMatchObject([{ ok: true, attempts: 3 }]);
    answer = (_request, response) => response.writeHead(503).end();
    webhook.announce(change);
    await settled(2);
    expect(webhook.list(1)).toMatchObject([{ ok: false, attempts: 4, message: 'The address refused it (HTTP 503).' }]);
    expect(received).toHaveLength(7);
  });

  it('follows no redirect and repeats nothing that was refused', async () => {
    answer = (_request, response) => response.writeHead(307, { location: `${origin}/elsewhere` }).end();
    open(origin).announce(change);
    await settled();
    answer = (_request, response) => response.writeHead(404).end();
    webhook.announce(change);
    await settled(2);
    expect(received).toHaveLength(2);
    expect(webhook.list(9).map(({ message, attempts }) => [message, attempts])).toEqual([
      ['The address refused it (HTTP 404).', 1],
      ['The address leads elsewhere (HTTP 307), which is not followed: write the address that it leads to.', 1],
    ]);
  });

  it('gives up an address that does not answer, and closes in the midst of it', async () => {
    answer = () => undefined;
    const delivery = await open(origin, { answerMs: 100 }).test();
    expect(delivery).toMatchObject({ ok: false, isTest: true, attempts: 1, message: 'The address did not answer within 0.1 s.' });
    webhook.announce(change);
    await expect.poll(() => received.length).toBe(2);
    await webhook.close();
    expect(webhook.list(9)).toHaveLength(1);
  });

  it.each(['http://169.254.169.254/latest', 'http://[fe80::1]/', 'ftp://files.example/', 'plainly-wrong'])('connects to no %s', async (address) => {
    open(address).announce(change);
    await settled();
    const [delivery] = webhook.list(1);
    expect(delivery).toMatchObject({ ok: false, attempts: 1 });
    expect(delivery?.message).not.toContain(address);
  });

  it('does nothing where it is off, and says that there is no address', async () => {
    open(undefined, { isOn: () => false }).announce(change);
    await expect(webhook.test()).rejects.toThrow('no address');
    expect(webhook.list(9)).toEqual([]);
  });

  it('keeps the order of changes, and drops what is too much for an address that hangs', async () => {
    answer = () => undefined;
    open(origin, { answerMs: 60_000 });
    for (let id = 1; id <= 102; id += 1) webhook.announce({ ...change, id });
    expect(webhook.list(9)).toMatchObject([{ ok: false, attempts: 0 }, { ok: false, attempts: 0 }]);
  });
});
