import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { frameOf, TEXT } from '../../../../e2e/servers/raw/ws-frames.mjs';
import { startRawWs } from '../../../../e2e/servers/raw-ws.mjs';
import { until } from '../testing';
import type { WireListener } from './transport';
import { WebSocketTransport } from './websocket';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Heard {
  readonly messages: unknown[];
  readonly unusable: string[];
  readonly stray: string[];
  readonly large: number[];
}

/** A transport on a server, with what it told. */
async function open(hooks: Parameters<typeof startRawWs>[0], { pingEveryMs = 60_000, isBusy = false, limitBytes = 10_000 } = {}) {
  const server = await startRawWs(hooks);
  cleanups.push(() => server.close());
  const tls = { insecure: false };
  const options = { server: 'it', url: new URL(server.url), headers: {}, tls, proxy: null, limitBytes, scrub: (text: string) => text, onSession: () => undefined, onPhase: () => undefined };
  const transport = new WebSocketTransport(options, { pingEveryMs, closeMs: 500 });
  const heard: Heard = { messages: [], unusable: [], stray: [], large: [] };
  const nothing = (): void => undefined;
  const listener: WireListener = {
    findWaiting: () => undefined,
    isBusy: () => isBusy,
    onUnusable: (_id, reason) => heard.unusable.push(reason),
    onInvalidRequest: (_id, reason) => heard.unusable.push(reason),
    onForeignAnswer: nothing,
    onTooLarge: (_id, sizeBytes) => heard.large.push(sizeBytes),
    onStray: (text) => heard.stray.push(text),
    onStreamEnded: nothing,
    onRefused: nothing,
    onRemark: nothing,
    onWire: nothing,
  };
  transport.listener = listener;
  transport.onmessage = (message) => heard.messages.push(message);
  cleanups.push(() => transport.close());
  await transport.start();
  return { server, transport, heard };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

describe('the pings of a WebSocket', () => {
  it('find a peer that is gone, while nobody waits for it', async () => {
    const { transport, server } = await open({ mode: 'noPong' }, { pingEveryMs: 100 });
    await until(() => transport.ending !== null, 'the peer is found dead');
    expect(transport.ending).toMatchObject({ code: 'connection_reset', message: expect.stringContaining('ping') as unknown });
    await until(() => server.openSockets() === 0, 'no socket is left');
  });

  it('do not end a connection with a call in flight, nor one that answers them', async () => {
    const busy = await open({ mode: 'noPong' }, { pingEveryMs: 50, isBusy: true });
    const well = await open({}, { pingEveryMs: 50 });
    await pause(600);
    expect([busy.transport.ending, well.transport.ending]).toEqual([null, null]);
  });
});

describe('sending over a WebSocket', () => {
  it('before it is open, and after it was closed, is refused', async () => {
    const { transport } = await open({});
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;
    await transport.send(ping);
    await transport.close();
    await expect(transport.send(ping)).rejects.toThrow('not open');
    const fresh = new WebSocketTransport({ server: 'it', url: new URL('ws://127.0.0.1:9/'), headers: {}, tls: { insecure: false }, proxy: null, limitBytes: 1, scrub: String, onSession: () => undefined, onPhase: () => undefined });
    await expect(fresh.send(ping)).rejects.toThrow('not open');
    await fresh.close();
  });

  it('to a server that does not read settles when the connection is closed', async () => {
    const { transport } = await open({ hooks: { onOpen: (peer) => peer.socket.pause() } });
    const sending = transport.send({ jsonrpc: '2.0', id: 1, method: 'x', params: { text: 'x'.repeat(8_000_000) } });
    const settled = sending.then(() => 'sent', () => 'given up');
    await pause(100);
    await transport.close();
    expect(await settled).toBe('given up');
  });

  it('is given up while it opens', async () => {
    const server = await startRawWs({ mode: 'handshakeNever' });
    cleanups.push(() => server.close());
    const transport = new WebSocketTransport({ server: 'it', url: new URL(server.url), headers: {}, tls: { insecure: false }, proxy: null, limitBytes: 1, scrub: String, onSession: () => undefined, onPhase: () => undefined });
    const started = transport.start().then(() => 'open', () => 'given up');
    await until(() => server.requests.length === 1, 'it asks');
    await transport.close();
    expect(await started).toBe('given up');
    await until(() => server.openSockets() === 0, 'no socket is left');
  });
});

describe('hostile bytes over a WebSocket', () => {
  const said = (text: string) => frameOf(TEXT, text);
  const real = said('{"jsonrpc":"2.0","id":1,"result":{}}');

  it('never crash it, and nothing but a whole text frame is taken for a message', async () => {
    const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));
    const texts = fc.oneof(fc.string(), fc.json(), fc.constantFrom('{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","id":1,"result":{}} ', '{"jsonrpc":"1.0","id":1}', '[{"jsonrpc":"2.0"}]', '\uFEFF{}', '{"error":'));
    const part = fc.oneof(bytes, texts.map(said), fc.constant(real), fc.constant(said('y'.repeat(20_000))), texts.map((text) => real.subarray(0, text.length % real.length)));
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), async (parts) => {
        const { heard, transport, server } = await open({ hooks: { onOpen: (peer) => peer.write(Buffer.concat([real, ...parts])) } });
        await until(() => heard.messages.length > 0, 'the first message came');
        await pause(20);
        const whole = JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} });
        for (const message of heard.messages) expect([whole, '{"jsonrpc":"2.0"}']).toContain(JSON.stringify(message));
        expect(heard.large.every((sizeBytes) => sizeBytes > 10_000)).toBe(true);
        await transport.close();
        await server.close();
      }),
      { numRuns: 40 },
    );
  });
});
