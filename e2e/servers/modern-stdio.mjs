#!/usr/bin/env node
// node modern-stdio.mjs [--modern-only]: the v2 SDK on stdio; serves both eras unless told otherwise.
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createModernServer } from './sdk/modern-server.mjs';

serveStdio(() => createModernServer((what) => process.stderr.write(`${what}\n`)), {
  legacy: process.argv.includes('--modern-only') ? 'reject' : 'serve',
});
