import { afterEach, describe, expect, it } from 'vitest';
import type { Connection, WireAnswer } from './connection';
import { openConnection } from './open-connection';
import type { Elicitation, Sampling, ServerRequestHooks } from './server-requests';
import { never, resolvedStdio, SERVERS, textWith, watch, watchedCall } from './testing';

const opened: Connection[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((connection) => connection.close()));
});

async function connect(era: 'legacy' | 'modern', hooks: ServerRequestHooks = {}): Promise<Connection> {
  const { options } = watch(resolvedStdio(process.execPath, [`${SERVERS}asking-stdio.mjs`], { era }), hooks);
  const connection = await openConnection(options, never);
  if (!connection.ok) throw new Error(connection.error.message);
  opened.push(connection.value);
  expect(connection.value.facts.era).toBe(era);
  return connection.value;
}

/** What the server was answered: each tool of it tells. */
const told = (answer: unknown): unknown => expect.objectContaining({ kind: 'result', result: textResult(JSON.stringify(answer)) });
const textResult = (text: string): unknown => expect.objectContaining({ content: [{ type: 'text', text }] });

describe.each(['legacy', 'modern'] as const)('what a server asks for in the %s era', (era) => {
  it('is declined while nobody is there, and the call says so', async () => {
    const connection = await connect(era);
    const form = watchedCall('form');
    expect(await connection.callTool(form, never)).toEqual(told({ action: 'decline' }));
    expect(form.notes).toEqual([expect.objectContaining({ kind: 'log', text: textWith('"Who is it?"') })]);
    const address = watchedCall('address');
    expect(await connection.callTool(address, never)).toEqual(told({ action: 'decline' }));
    expect(address.notes).toEqual([expect.objectContaining({ text: textWith('declined') })]);
    const model = watchedCall('model');
    const answer: WireAnswer = await connection.callTool(model, never);
    expect(JSON.stringify(answer)).toContain('sampling was declined');
    expect(model.notes).toEqual([expect.objectContaining({ text: textWith('declined') })]);
    expect(await connection.callTool(watchedCall('form'), never)).toMatchObject({ kind: 'result' });
  });

  it('reaches whoever answers, and a form gets the defaults of what was left out', async () => {
    const asked: (Elicitation | Sampling)[] = [];
    const connection = await connect(era, {
      onElicitation: async (elicitation) => {
        asked.push(elicitation);
        return { action: 'accept', content: { age: 7, note: 'new' } };
      },
      onSampling: async (sampling) => {
        asked.push(sampling);
        return { action: 'accept', model: 'a person', text: 'It is short.' };
      },
    });
    expect(await connection.callTool(watchedCall('form'), never)).toEqual(
      told({ action: 'accept', content: { age: 7, note: 'new', name: 'John Doe', verified: true } }),
    );
    expect(await connection.callTool(watchedCall('address'), never)).toEqual(told({ action: 'accept' }));
    expect(await connection.callTool(watchedCall('model'), never)).toMatchObject({ kind: 'result', result: textResult(expect.stringContaining('It is short.') as string) });
    expect(asked).toMatchObject([
      { mode: 'form', message: 'Who is it?', requestedSchema: { properties: { name: { default: 'John Doe' } } } },
      { mode: 'url', message: 'Sign here.', url: 'https://example.test/sign?token=1' },
      { params: { messages: [{ role: 'user', content: { text: 'Sum it up.' } }], maxTokens: 10 } },
    ]);
  });

  it('can be cancelled', async () => {
    const connection = await connect(era, {
      onElicitation: async () => ({ action: 'cancel' }),
      onSampling: async () => ({ action: 'cancel' }),
    });
    expect(await connection.callTool(watchedCall('form'), never)).toEqual(told({ action: 'cancel' }));
    expect(JSON.stringify(await connection.callTool(watchedCall('model'), never))).toContain('sampling was cancelled');
  });
});
