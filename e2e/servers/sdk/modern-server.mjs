import { McpServer } from '@modelcontextprotocol/server';
import { registerTools } from './tools.mjs';

/** A server of the v2 package, for either era. @param {(what: string) => void} record */
export function createModernServer(record) {
  const server = new McpServer({ name: 'modern', version: '2.0.0' }, { instructions: 'A server of the newer line.', capabilities: { tools: { listChanged: true } } });
  registerTools(
    server,
    (extra) => ({ signal: extra.mcpReq.signal, progressToken: extra.mcpReq._meta?.progressToken, notify: extra.mcpReq.notify }),
    record,
  );
  server.registerResource('note', 'note://one', { mimeType: 'text/plain' }, () => ({ contents: [{ uri: 'note://one', text: 'hello' }] }));
  server.registerPrompt('greet', { description: 'Greets.' }, () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Hello!' } }] }));
  return server;
}
