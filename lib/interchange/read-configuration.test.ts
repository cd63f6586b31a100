import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readConfiguration, type Configuration } from '.';

const containing = (part: string): unknown => expect.stringContaining(part);

function read(text: string, fileName?: string): Configuration {
  const configuration = readConfiguration(text, fileName === undefined ? {} : { fileName });
  if (!configuration.ok) throw new Error(JSON.stringify(configuration.error));
  return configuration.value;
}

function problemOf(text: string, fileName?: string) {
  const configuration = readConfiguration(text, fileName === undefined ? {} : { fileName });
  if (configuration.ok) throw new Error('it was read');
  return configuration.error;
}

describe('readConfiguration of mcpServers', () => {
  it('reads entries as other programs write them', () => {
    const { format, servers, warnings } = read(`\uFEFF{
      // servers of mine
      "mcpServers": {
        "Brave Search": { "type": "stdio", "command": "npx", "args": ["-y", "brave", 8], "env": { "PORT": 3000, "K": "\${env:KEY}" },
          "autoApprove": ["x"], "trust": true, "disabled": true, },
        "web": { "type": "streamable-http", "url": "https://a.example/mcp", "headers": { "X-Team": "red" } },
        "old": { "type": "sse", "url": "https://a.example/sse", "tools": ["*"] },
        "ours": { "command": "x", "limits": { "idle_s": 5 }, "sample_mount": "/data" }
      },
      "theme": "dark"
    }`);
    expect(format).toBe('mcpServers');
    expect(servers.map(({ key, label }) => [key, label])).toEqual([
      ['brave_search', 'Brave Search'], ['web', 'web'], ['old', 'old'], ['ours', 'ours'],
    ]);
    expect(servers[0]?.ignored).toEqual(['autoApprove', 'trust']);
    expect(servers[0]?.entry).toMatchObject({
      ok: true,
      value: { transport: 'stdio', args: ['-y', 'brave', '8'], env: { PORT: '3000', K: '${KEY}' }, enabled: false, label: 'Brave Search' },
    });
    expect(servers[1]?.entry).toMatchObject({ ok: true, value: { transport: 'http', headers: { 'X-Team': 'red' } } });
    expect(servers[2]?.entry).toMatchObject({ ok: true, value: { transport: 'sse', tools: null } });
    expect(servers[3]?.entry).toMatchObject({ ok: true, value: { limits: { idle_s: 5 }, sample_mount: '/data' } });
    expect(warnings).toEqual(['Not taken over from the file: theme.']);
  });

  it('keeps the neighbours of an entry that is wrong', () => {
    const { servers } = read('{"mcpServers": {"bad": {"comand": "x"}, "worse": 7, "good": {"command": "x"}}}');
    expect(servers.map(({ entry }) => entry.ok)).toEqual([false, false, true]);
    expect(servers[0]?.ignored).toEqual(['comand']);
  });

  it('refuses the later of two names that become one key', () => {
    const { servers } = read('{"mcpServers": {"My FS": {"command": "x"}, "my.fs": {"command": "y"}}}');
    expect(servers[1]?.entry).toEqual({
      ok: false,
      error: [{ field: 'key', message: '"My FS" and "my.fs" both become the key my_fs. Rename one of them.' }],
    });
  });

  it('says where cut-off JSON ends and what was expected there', () => {
    expect(problemOf('{\n  "mcpServers": {\n    "a": { "command": "x", "args": ["1", ')).toMatchObject({ line: 3, message: containing('cut off') });
    expect(problemOf('{"mcpServers": {"a": {"command": "np')).toMatchObject({ line: 1, message: containing('closing quote') });
    expect(problemOf('{"mcpServers": {"a": {"command": "npx"}')).toMatchObject({ line: 1, column: 40, message: containing('"}"') });
  });

  it('points at the place where JSON is broken', () => {
    expect(problemOf('{\n "mcpServers" {}\n}')).toMatchObject({ line: 2, column: 15, message: containing('":"') });
    expect(problemOf("{'mcpServers': {}}")).toMatchObject({ line: 1, column: 2 });
    expect(problemOf('{"mcpServers": {"a": {"command": "C:\\dir"}}}')).toMatchObject({ line: 1, message: containing('backslash') });
  });

  it('names both lines of a name that stands twice', () => {
    expect(problemOf('{"mcpServers": {\n"a": {"command": "x"},\n"b": {"command": "x"},\n"a": {"command": "y"}}}')).toEqual({
      message: '"a" stands twice in one object, on line 2 and on line 4. Keep one of them.', line: 4, column: 1,
    });
  });

  it.each(['', '   ', '[]', '7', '{}', '{"mcpServers": []}', '{"mcpServers": null}', '"text"'])('refuses %j with a sentence', (text) => {
    expect(problemOf(text).message).toMatch(/\.$/);
  });

  it('refuses what is nested to exhaust the stack', () => {
    expect(problemOf('{"a":'.repeat(100_000)).message).toMatch(/nested|cut off/);
    expect(problemOf('['.repeat(100_000) + ']'.repeat(100_000)).message).toMatch(/nested/);
  });

  it('reads a name such as __proto__ as a name', () => {
    const { servers } = read('{"mcpServers": {"__proto__": {"command": "x"}}}');
    expect(servers.map(({ key }) => key)).toEqual(['s_proto']);
  });
});

describe('readConfiguration of VS Code', () => {
  it('turns what VS Code asks a person into secrets of the vault', () => {
    const { format, servers, warnings } = read(
      '{"inputs": [{"id": "api-key"}], "servers": {"gh": {"type": "http", "url": "https://a.example", "headers": {"Authorization": "Bearer ${input:api-key}"}}}}',
    );
    expect(format).toBe('vscode');
    expect(servers[0]?.entry).toMatchObject({ ok: true, value: { headers: { Authorization: 'Bearer ${secret:API_KEY}' } } });
    expect(warnings).toEqual([containing('API_KEY')]);
  });
});

describe('readConfiguration of TOML', () => {
  const toml = `
trust_project_config = true

[mcp."My Files"]
command = "npx"
args = ["-y", "fs"]
enabled = false

[mcp.web]
url = "https://a.example/mcp"
token_env = "TOKEN"
prefix = false

[permissions]
allow = ["My Files__read", "web__*"]
deny = ["*__delete"]
`;

  it('reads tables, and rewrites rules that began with a renamed server', () => {
    const { format, servers, permissions, warnings } = read(toml);
    expect(format).toBe('toml');
    expect(servers.map(({ key, entry }) => [key, entry.ok])).toEqual([['my_files', true], ['web', true]]);
    expect(servers[1]?.entry).toMatchObject({ value: { token_env: 'TOKEN', prefix: false, transport: 'http' } });
    expect(permissions).toEqual({ allow: ['my_files__read', 'web__*'], deny: ['*__delete'] });
    expect(warnings).toEqual(['Not taken over from the file: trust_project_config.']);
  });

  it('says where TOML is broken', () => {
    expect(problemOf('[mcp.a]\ncommand = "x', 'config.toml')).toMatchObject({ line: 2, message: containing('TOML') });
    expect(problemOf('[mcp.a]\ncommand = "x"\n[mcp.a]\ncommand = "y"\n')).toMatchObject({ line: 3 });
    expect(problemOf('[other]\na = 1\n', 'x.toml').message).toContain('[mcp.<name>]');
  });
});

it('never throws', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', '"mcpServers"', '"a"', ':', ',', '"command"', '"x"', '[mcp.a]', '\n', 'url = "x"', '//', '\uFEFF', '${', '\\');
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.array(piece).map((pieces) => pieces.join('')), fc.json()), (text) => {
      const configuration = readConfiguration(text);
      expect(typeof configuration.ok).toBe('boolean');
    }),
  );
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (servers) => {
      expect(readConfiguration(JSON.stringify({ mcpServers: servers })).ok).toBe(true);
    }),
  );
});
