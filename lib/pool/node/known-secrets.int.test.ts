import { describe, expect, it } from 'vitest';
import { rpcError, textResult, tool } from '../../../e2e/servers/raw/protocol.mjs';
import { httpServers } from './http-testing';
import { KnownSecrets } from './known-secrets';
import { never, resolvedHttp, watchedCall } from './testing';

const { serve, open } = httpServers();
const SECRET = 'tr0ub4dor/and"three';
const SAID = `it uses ${SECRET} here`;

/** A server that says its secret wherever it may say something. */
const TALKER = {
  tools: [
    tool(`echo_${SECRET}`, { type: 'object', properties: { text: { type: 'string', description: SAID, default: SECRET }, [SECRET]: { type: 'string' } } }, { description: SAID, title: SAID }),
    { name: `aside_${SECRET}`, inputSchema: SECRET },
  ],
  callTool: (params: { name: string }) => textResult(params.name === `echo_${SECRET}` ? 'that is me' : 'that is nobody'),
  capabilities: { resources: {}, prompts: {} },
  instructions: SAID,
  initialize: { serverInfo: { name: `raw ${SECRET}`, version: `1-${SECRET}`, title: SAID } },
  methods: {
    'resources/list': () => ({ resources: [{ uri: `db://user:${SECRET}@host/`, name: SAID, description: SAID }] }),
    'resources/read': ({ uri }: { uri: string }) => ({ contents: [{ uri, text: uri === `db://user:${SECRET}@host/` ? 'the one' : 'none' }] }),
    'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: `db://${SECRET}/{id}`, name: SAID }] }),
    'prompts/list': () => rpcError(-32_000, `no prompts for ${SECRET}`),
  },
};

describe('a secret that a server says back of itself', () => {
  it('is in none of its facts, lists, stages and warnings, and what it is called by still reaches it', async () => {
    const server = await serve({ offer: TALKER });
    const { opened, watched } = await open({ ...resolvedHttp(server.url), secretValues: [SECRET] });
    if (!opened.ok) throw new Error(opened.error.message);
    const connection = opened.value;
    await connection.refreshLists(never);
    for (const shown of [connection.facts, connection.lists, watched.stages]) expect(JSON.stringify(shown)).not.toMatch(/tr0ub4dor|three/);
    expect(connection.facts).toMatchObject({ instructions: 'it uses [redacted] here', serverInfo: { name: 'raw [redacted]' } });
    const { toolList, resources, warnings } = connection.lists;
    expect(toolList.tools).toMatchObject([{ name: 'echo_[redacted]', inputSchema: { type: 'object', properties: { '[redacted]': {} } } }]);
    expect(warnings.join()).toContain('no prompts for [redacted]');
    expect(await connection.callTool(watchedCall('echo_[redacted]'), never)).toMatchObject({ result: { content: [{ text: 'that is me' }] } });
    expect(await connection.readResource(resources[0]?.uri ?? '', never)).toMatchObject({ result: { contents: [{ text: 'the one' }] } });
  });

  it('leaves the words of the protocol readable, also where it is one of them', () => {
    const secrets = new KnownSecrets(['string', 'description']);
    const schema = { type: 'string', description: 'a string' };
    expect(secrets.object(schema)).toEqual({ type: 'string', description: 'a [redacted]' });
  });
});

describe('the id of a session', () => {
  it('that a refusal repeats is in no failure', async () => {
    const server = await serve({
      hook: ({ request, response }) => {
        if (request.message?.method !== 'tools/call') return false;
        response.writeHead(500, { 'content-type': 'text/plain' }).end(`failed, mcp-session-id: ${String(request.headers['mcp-session-id'])}`);
        return true;
      },
    });
    const { opened, wire } = await open(resolvedHttp(server.url, { era: 'legacy' }));
    if (!opened.ok) throw new Error(opened.error.message);
    const answer = await opened.value.callTool(watchedCall('echo'), never);
    const [id = ''] = server.sessions;
    expect(id).not.toBe('');
    expect(answer).toMatchObject({ kind: 'lost', failure: { evidence: { body: 'failed, mcp-session-id: [redacted]' } } });
    for (const shown of [answer, wire]) expect(JSON.stringify(shown)).not.toContain(id);
  });
});
