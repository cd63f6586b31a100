import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { registerTools } from './tools.mjs';

/** A server of the v1 package, legacy era alone. @param {(what: string) => void} record */
export function createLegacyServer(record) {
  const server = new McpServer({ name: 'legacy', version: '1.0.0' }, { instructions: 'A server of the older line.' });
  registerTools(
    server,
    (extra) => ({ signal: extra.signal, progressToken: extra._meta?.progressToken, notify: extra.sendNotification }),
    record,
  );
  server.registerResource('note', 'note://one', { mimeType: 'text/plain' }, () => ({ contents: [{ uri: 'note://one', text: 'hello' }] }));
  server.registerPrompt('greet', { description: 'Greets.' }, () => ({ messages: [{ role: 'user', content: { type: 'text', text: 'Hello!' } }] }));
  return server;
}
