#!/usr/bin/env node
// node asking-stdio.mjs: the v2 SDK on stdio, both eras; each tool asks for something and answers with what it got.
import { inputRequired, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

const FORM = {
  type: /** @type {const} */ ('object'),
  properties: {
    name: { type: /** @type {const} */ ('string'), default: 'John Doe' },
    age: { type: /** @type {const} */ ('integer'), default: 30 },
    verified: { type: /** @type {const} */ ('boolean'), default: true },
    note: { type: /** @type {const} */ ('string') },
  },
};

/** What each tool asks for. */
const ASKS = {
  form: () => inputRequired.elicit({ message: 'Who is it?', requestedSchema: FORM }),
  address: () => inputRequired.elicitUrl({ message: 'Sign here.', url: 'https://example.test/sign?token=1' }),
  model: () => inputRequired.createMessage({ messages: [{ role: 'user', content: { type: 'text', text: 'Sum it up.' } }], maxTokens: 10 }),
};

function createServer() {
  const server = new McpServer({ name: 'asking', version: '1.0.0' });
  for (const [name, ask] of Object.entries(ASKS)) {
    server.registerTool(name, {}, (/** @type {any} */ context) => {
      const answer = context.mcpReq.inputResponses?.answer;
      if (answer === undefined) return inputRequired({ inputRequests: { answer: ask() } });
      return { content: [{ type: /** @type {const} */ ('text'), text: JSON.stringify(answer) }] };
    });
  }
  return server;
}

serveStdio(createServer, { legacy: 'serve' });
