import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseServerEntry, toLiteralText } from '@/lib/servers';
import { readPasted, toPasted } from '.';

function first(text: string) {
  const pasted = readPasted(text);
  if (!pasted.ok) throw new Error(JSON.stringify(pasted.error));
  const [server] = pasted.value.servers;
  return { source: pasted.value.source, key: server.key, label: server.label, entry: server.entry, fields: server.fields, ignored: server.ignored };
}

function problemOf(text: string) {
  const pasted = readPasted(text);
  if (pasted.ok) throw new Error('it was read');
  return pasted.error;
}

describe('readPasted', () => {
  it.each([
    ['npx -y @modelcontextprotocol/server-everything', 'everything', { command: 'npx', args: ['-y', '@modelcontextprotocol/server-everything'] }],
    ['$ uvx mcp-server-git --repository ~/code', 'git', { command: 'uvx', args: ['mcp-server-git', '--repository', '${HOME}/code'] }],
    ["API_KEY='a b' DEBUG=1 node /srv/tools/dist/index.js \"two words\"", 'tools', {
      command: 'node', args: ['/srv/tools/dist/index.js', 'two words'], env: { API_KEY: 'a b', DEBUG: '1' },
    }],
    ['docker run -i --rm -e TOKEN mcp/github:latest', 'github', { command: 'docker', args: ['run', '-i', '--rm', '-e', 'TOKEN', 'mcp/github:latest'] }],
    ['python -m my_server.main $PORT', 'my_server_main', { command: 'python', args: ['-m', 'my_server.main', '${PORT}'] }],
    ['npx -y some-mcp@1.2.3 \\\n  --root /tmp', 'some', { command: 'npx', args: ['-y', 'some-mcp@1.2.3', '--root', '/tmp'] }],
    ["claude mcp add files -s user -e A=1 -- npx -y x --flag", 'files', { command: 'npx', args: ['-y', 'x', '--flag'], env: { A: '1' } }],
    ['claude mcp add --transport http web https://a.example/mcp --header "X-Team: red"', 'web', { url: 'https://a.example/mcp', headers: { 'X-Team': 'red' } }],
  ])('reads the command line %s', (text, key, fields) => {
    expect(first(text)).toMatchObject({ source: 'command', key, fields, entry: { ok: true } });
  });

  it.each([
    ['https://mcp.example.com/mcp', 'example', 'http'],
    ['  http://localhost:3001/mcp\n', 'localhost', 'http'],
    ['wss://tools.example.org', 'example', 'websocket'],
    ['http://127.0.0.1:80', 's_127_0_0_1', 'http'],
  ])('reads the url %s', (text, key, transport) => {
    expect(first(text)).toMatchObject({ source: 'url', key, label: key, entry: { ok: true, value: { transport } } });
  });

  it.each([
    ['{"mcpServers": {"fs": {"command": "x"}}}', 'configuration', 'fs'],
    ['{"fs": {"command": "x"}}', 'configuration', 'fs'],
    ['"fs": {"command": "x"},', 'configuration', 'fs'],
    ['{"command": "npx", "args": ["-y", "mcp-server-time"]}', 'entry', 'time'],
    ['{"name": "My Time", "command": "x"}', 'entry', 'my_time'],
    ['{"serverUrl": "https://mcp.example.com"}', 'entry', 'example'],
    ['[mcp.fs]\ncommand = "x"', 'configuration', 'fs'],
    ['// a comment\n{"command": "x"}', 'entry', 'x'],
  ])('reads %s', (text, source, key) => {
    expect(first(text)).toMatchObject({ source, key, entry: { ok: true } });
  });

  it('gives all servers of a configuration', () => {
    const pasted = readPasted('{"mcpServers": {"a": {"command": "x"}, "b": {"url": "https://b.example"}}}');
    expect(pasted.ok && pasted.value.servers.map(({ key }) => key)).toEqual(['a', 'b']);
  });

  it('keeps what is wrong with an entry at its field', () => {
    expect(first('{"command": "x", "args": "y"}').entry).toMatchObject({ ok: false, error: [{ field: 'args' }] });
  });

  it.each([
    ['', 'Nothing is here'],
    ['npx x | tee log', '"|"'],
    ['npx x > out.txt', '">"'],
    ['cd /srv && node x.js', 'cwd'],
    ['npx "unclosed', 'not closed'],
    ['echo `id`', 'shell'],
    ['echo $(id)', 'shell'],
    ['npx a\nnpx b', 'second line'],
    ['A=1', 'No command'],
    ['ftp://a.example', 'ftp:'],
    ['https://', 'no url'],
    ['https://user:pw@a.example', 'credentials'],
    ['[1, 2]', 'list'],
    ['{"a": 1}', 'No server'],
    ['{"mcpServers": {}}', 'no servers'],
    ['claude mcp remove x', 'claude mcp add'],
    ['claude mcp add x', 'name'],
  ])('refuses %j with a sentence', (text, part) => {
    expect(problemOf(text).message).toContain(part);
    expect(problemOf(text).message).toMatch(/\.$/);
  });

  it('gives line and column of JSON that is cut off', () => {
    expect(problemOf('{\n "command": "x",\n "args": [')).toMatchObject({ line: 3, column: 11 });
    expect(problemOf('"fs": {"command" "x"}')).toMatchObject({ line: 1, column: 18 });
  });

  it('takes a quoted ${ as text', () => {
    expect(first("printf '${HOME}' \"\\${HOME}\" \\${HOME}").fields).toMatchObject({ args: ['$${HOME}', '$${HOME}', '$${HOME}'] });
  });

  it('splits a line into the words that were quoted', () => {
    const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`;
    fc.assert(
      fc.property(fc.array(fc.string()), (words) => {
        const args = words.map((word) => toLiteralText(word));
        expect(first(['program', ...words.map(quote)].join(' ')).fields['args'] ?? []).toEqual(args);
      }),
    );
  });

  it('never throws', () => {
    const piece = fc.constantFrom('{', '}', '"', "'", ':', ' ', '\\', '$', '${', 'claude', ' mcp add ', '--', '-e', 'a=b', 'https://', '[mcp', '\n', '|', 'x', '__proto__', ',');
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.array(piece).map((pieces) => pieces.join(''))), (text) => {
        const pasted = readPasted(text);
        if (!pasted.ok) expect(pasted.error.message).not.toBe('');
      }),
    );
  });
});

describe('toPasted', () => {
  it.each([
    { key: 'fs', command: 'npx', args: ['-y', 'x'], env: { A: '${B}' }, tools: ['read'], label: 'Files' },
    { key: 'web', url: 'https://a.example/mcp', headers: { 'X-A': 'b' }, enabled: false, limits: { idle_s: 3 } },
    { key: 'old', url: 'https://a.example/sse', transport: 'sse' },
    { key: 'ws', url: '${URL}', transport: 'websocket', tools: [] },
  ])('is read back to the same entry: %j', (fields) => {
    const entry = parseServerEntry(fields);
    if (!entry.ok) throw new Error(JSON.stringify(entry.error));
    expect(first(toPasted(entry.value)).entry).toEqual(entry);
  });

  it('writes a form that is not finished', () => {
    expect(JSON.parse(toPasted({ key: '', command: 'npx', args: [], cwd: '' }))).toEqual({ command: 'npx' });
  });
});
