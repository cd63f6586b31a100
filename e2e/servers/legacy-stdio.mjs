#!/usr/bin/env node
// node legacy-stdio.mjs: the v1 SDK on stdio, legacy era alone.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { createLegacyServer } from './sdk/legacy-server.mjs';

await createLegacyServer((what) => process.stderr.write(`${what}\n`)).connect(new StdioServerTransport());
