import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { startRawSse } from '../../../../e2e/servers/raw-sse.mjs';
import { until } from '../testing';
import { SseTransport } from './sse';
import type { WireListener } from './transport';

const cleanups: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

interface Heard {
  readonly messages: unknown[];
  readonly large: number[];
}

function make(url: string): { readonly transport: SseTransport; readonly heard: Heard } {
  const transport = new SseTransport({ server: 'it', url: new URL(url), headers: {}, tls: { insecure: false }, proxy: null, limitBytes: 10_000, scrub: String, onSession: () => undefined, onPhase: () => undefined });
  const heard: Heard = { messages: [], large: [] };
  const nothing = (): void => undefined;
  const listener: WireListener = {
    findWaiting: () => undefined,
    isBusy: () => false,
    onUnusable: nothing,
    onInvalidRequest: nothing,
    onForeignAnswer: nothing,
    onTooLarge: (_id, sizeBytes) => heard.large.push(sizeBytes),
    onStray: nothing,
    onStreamEnded: nothing,
    onRefused: nothing,
    onRemark: nothing,
    onWire: nothing,
  };
  transport.listener = listener;
  transport.onmessage = (message) => heard.messages.push(message);
  cleanups.push(() => transport.close());
  return { transport, heard };
}

const ping = { jsonrpc: '2.0', id: 1, method: 'ping' } as const;

describe('sending over HTTP+SSE', () => {
  it('before it is open, and after it was closed, is refused', async () => {
    const server = await startRawSse({});
    cleanups.push(() => server.close());
    const { transport } = make(server.url);
    await expect(transport.send(ping)).rejects.toThrow('not open');
    await transport.start();
    await transport.send(ping);
    await transport.close();
    await expect(transport.send(ping)).rejects.toThrow('not open');
  });

  it('is given up while it opens, whatever is withheld', async () => {
    for (const mode of ['silent', 'endpointNever']) {
      const server = await startRawSse({ mode });
      cleanups.push(() => server.close());
      const { transport } = make(server.url);
      const started = transport.start().then(() => 'open', () => 'given up');
      await until(() => server.requests.length === 1, 'it asks');
      await transport.close();
      expect(await started).toBe('given up');
      await until(() => server.streams.size === 0, 'no stream is left');
    }
  });
});

describe('a hostile stream', () => {
  const real = '{"jsonrpc":"2.0","id":1,"result":{}}';
  const event = (data: string, name = 'message') => Buffer.from(`event: ${name}\ndata: ${data}\n\n`);

  it('never crashes it, moves the endpoint, or passes anything but a whole event for a message', async () => {
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    const texts = fc.oneof(fc.string(), fc.json(), fc.constantFrom('{"jsonrpc":"2.0"}', `${real} `, '[{"jsonrpc":"2.0"}]', '\uFEFF{}', '{"error":'));
    const part = fc.oneof(
      bytes,
      texts.map((text) => event(text)),
      fc.tuple(texts, fc.string()).map(([text, name]) => event(text, name)),
      fc.webUrl().map((url) => event(url, 'endpoint')),
      fc.constant(event('y'.repeat(20_000))),
      texts.map((text) => event(real).subarray(0, text.length % 40)),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), async (parts) => {
        const server = await startRawSse({
          hooks: { onOpen: (stream) => stream.write(Buffer.concat([event(stream.path, 'endpoint'), event(real), ...parts])) },
        });
        const { transport, heard } = make(server.url);
        const started = transport.start().catch(() => undefined);
        await until(() => heard.messages.length > 0, 'the first message came');
        await started;
        await transport.send(ping).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, 20));
        for (const message of heard.messages) expect([real, '{"jsonrpc":"2.0","id":1,"result":{}}']).toContain(JSON.stringify(message));
        expect(heard.large.every((sizeBytes) => sizeBytes > 10_000)).toBe(true);
        // Bytes that are no UTF-8 end it, before or after it could post.
        const { ending } = transport;
        if (ending !== null) expect(ending.code).toBe('not_utf8');
        const asked = server.requests.map(({ path }) => path);
        expect(['/sse', '/messages?sid=1'].slice(0, ending === null ? 2 : asked.length)).toEqual(asked);
        await transport.close();
        await server.close();
      }),
      { numRuns: 40 },
    );
  });
});
