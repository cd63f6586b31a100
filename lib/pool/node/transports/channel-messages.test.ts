import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChannelText, readLargeMessage, type Channel } from './channel-messages';

function hear(texts: readonly string[], revision: string | null = null) {
  const said: string[] = [];
  const messages: unknown[] = [];
  const nothing = (): void => undefined;
  const channel: Channel = {
    revision,
    deliver: (message) => messages.push(message),
    listener: {
      findWaiting: () => undefined,
      isBusy: () => false,
      onUnusable: (id, reason) => said.push(`unusable ${id}: ${reason}`),
      onInvalidRequest: (id, reason) => said.push(`invalid ${id}: ${reason}`),
      onForeignAnswer: nothing,
      onTooLarge: (id, sizeBytes, limitBytes) => said.push(`too large ${id}: ${sizeBytes} of ${limitBytes}`),
      onStray: (text) => said.push(`stray: ${text}`),
      onStreamEnded: nothing,
      onRefused: nothing,
      onRemark: nothing,
      onWire: (direction, text) => said.push(`${direction}: ${text}`),
    },
  };
  for (const text of texts) readChannelText(text, channel);
  return { said, messages, channel };
}

const said = (text: string, revision?: string) => hear([text], revision).said.slice(1);

describe('a text that has the place of a message', () => {
  it('is one, or is told as what it is, and passed on the wire once', () => {
    const good = '{"jsonrpc":"2.0","id":1,"result":{}}';
    expect(hear([good])).toMatchObject({ messages: [{ id: 1 }], said: [`received: ${good}`] });
    expect(said('hello')).toEqual(['stray: hello']);
    expect(said('{"type":"ping"}')).toEqual(['stray: {"type":"ping"}']);
    expect(said('[]')).toEqual(['stray: []']);
  });

  it('that claims to be an answer and can settle nothing is told at once', () => {
    expect(said('{"error":"gone"}')).toEqual(['unusable null: it is no JSON-RPC message']);
    expect(said('{"jsonrpc":"2.0","id":3,"resu')).toEqual(['unusable null: it is no JSON-RPC message']);
    expect(said('{"jsonrpc":"2.0","id":3,"result":4}')[0]).toMatch(/^unusable 3: /);
    expect(said('{"jsonrpc":"2.0","id":{},"method":"x"}')[0]).toMatch(/^invalid null: /);
  });

  it('that is a batch counts in one revision', () => {
    const batch = '[{"jsonrpc":"2.0","id":1,"result":{}},{"x":1},[]]';
    expect(hear([batch], '2025-03-26').messages).toHaveLength(1);
    expect(hear([batch], '2025-11-25').messages).toEqual([]);
    expect(said(batch, '2025-11-25')).toEqual([expect.stringMatching(/^unusable 1: it is in a batch/), 'stray: {"x":1}', 'stray: []']);
  });

  it('nested deeper than the stack goes ends nothing else', () => {
    const deep = `${'['.repeat(200_000)}${']'.repeat(200_000)}`;
    expect(() => hear([deep, `[{"jsonrpc":"2.0","id":1,"result":{"x":${deep}}}]`])).not.toThrow();
  });

  it('that was too large names its request where it could be read', () => {
    const { channel, said: told } = hear([]);
    readLargeMessage({ claimsProtocol: true, id: 4, hasMethod: false }, '{"j', 9, 5, channel);
    readLargeMessage({ claimsProtocol: true, id: 4, hasMethod: true }, '{"j', 9, 5, channel);
    readLargeMessage({ claimsProtocol: false, id: null, hasMethod: false }, 'xxx', 9, 5, channel);
    expect(told.filter((text) => text.startsWith('too'))).toEqual(['too large 4: 9 of 5', 'too large null: 9 of 5', 'too large null: 9 of 5']);
  });

  it('whatever it is, is never taken for a message that it does not say it is', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json(), fc.object().map((value) => JSON.stringify({ jsonrpc: '2.0', ...value })))), (texts) => {
        for (const text of texts) {
          const { messages } = hear([text]);
          expect(messages.length).toBeLessThanOrEqual(1);
          for (const message of messages) expect(JSON.parse(text)).toMatchObject({ jsonrpc: '2.0', ...(message as object) });
        }
      }),
    );
  });
});
