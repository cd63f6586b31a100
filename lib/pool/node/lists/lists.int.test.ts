import { describe, expect, it } from 'vitest';
import { never, openRawServers, textOf, watchedCall } from '../testing';

const { requireConnection } = openRawServers();

describe('the lists of a server', () => {
  it('are read where null stands for what is left out, in every answer', async () => {
    for (const era of ['auto', 'legacy'] as const) {
      const { connection } = await requireConnection('nullEverywhere', { era });
      const { toolList, resources, resourceTemplates, prompts, warnings } = connection.lists;
      expect([...toolList.warnings, ...warnings, ...toolList.setAside]).toEqual([]);
      expect(toolList.tools.map(({ name }) => name)).toEqual(['echo', 'no_name', 'no_inputSchema']);
      expect(resources).toMatchObject([{ uri: 'note://one', mimeType: null, sizeBytes: null }]);
      expect(resourceTemplates).toMatchObject([{ uriTemplate: 'note://{id}' }]);
      expect(prompts).toMatchObject([{ name: 'greet', arguments: [] }, { name: 'ask', arguments: [{ name: 'who', required: false }] }]);
      expect(connection.facts).toMatchObject({ instructions: null, serverInfo: { name: 'raw' } });
      expect(textOf(await connection.callTool(watchedCall('echo'), never))).toBe('full');
      await connection.close();
    }
  });

  it.each([['name', null], ['inputSchema', 'no_inputSchema']] as const)('set one entry aside whose required %s is null, and no other', async (field, name) => {
    const { connection } = await requireConnection('nullEverywhere', { env: { RAW_NULL: field } });
    expect(connection.lists.toolList.setAside.map((tool) => tool.name)).toEqual([name]);
    expect(connection.lists.toolList.tools).toHaveLength(2);
  });

  it('that are null themselves are empty, with a warning', async () => {
    const { connection } = await requireConnection('nullEverywhere', { env: { RAW_NULL: 'tools' } });
    expect(connection.lists.toolList).toEqual({ tools: [], setAside: [], warnings: ['it answered tools/list without a list of tools.'] });
  });

  it('and a result without content, or with a text that is null, is a result', async () => {
    for (const field of ['content', 'text']) {
      const { connection } = await requireConnection('nullEverywhere', { env: { RAW_NULL: field } });
      expect(await connection.callTool(watchedCall('echo'), never)).toMatchObject({ kind: 'result' });
    }
  });

  it('are not asked for where they are not declared, the tools apart', async () => {
    const { connection } = await requireConnection('toolsOnly');
    expect(connection.lists).toMatchObject({ toolList: { tools: [{ name: 'echo' }] }, resources: [], prompts: [], warnings: [] });
    expect(connection.lines.map(({ text }) => text)).toEqual([]);
    const undeclared = await requireConnection('undeclaredTools');
    expect(undeclared.connection.lists.toolList.tools).toHaveLength(1);
  });

  it('that are declared and unknown are none, noted once for each, however often they are read', async () => {
    const { connection } = await requireConnection('declaredOnly');
    const noted = ['it declares resources but does not know resources/list: it has none.', 'it declares prompts but does not know prompts/list: it has none.'];
    expect(connection.lists).toMatchObject({ resources: [], prompts: [], warnings: noted });
    expect((await connection.refreshLists(never)).warnings).toEqual(noted);
    expect(connection.lists.toolList.tools).toHaveLength(1);
  });

  it.each([['tooManyTools'], ['tooManyPages']])('of more than 20,000 entries are cut there, with a warning that names the server (%s)', async (mode) => {
    const { connection } = await requireConnection(mode);
    expect(connection.lists.toolList.tools).toHaveLength(20_000);
    expect(connection.lists.toolList.warnings).toEqual(['it: tools/list was stopped after 20000 entries.']);
  });

  it('of 20,000 entries are whole', async () => {
    const { connection } = await requireConnection('manyTools');
    expect(connection.lists.toolList.tools).toHaveLength(20_000);
    expect(connection.lists.toolList.warnings).toEqual([]);
  });

  it('set both tools of one name aside with what was sent for each', async () => {
    const { connection } = await requireConnection('t_dup');
    const { tools, setAside } = connection.lists.toolList;
    expect(tools.map(({ name }) => name)).toEqual(['echo']);
    expect(setAside).toMatchObject([{ name: 'good', raw: { inputSchema: { properties: { a: {} } } } }, { name: 'good', raw: { inputSchema: { required: ['b'] } } }]);
  });
});
