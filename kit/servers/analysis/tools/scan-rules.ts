import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { z } from 'zod';

import { KiB } from '@/lib/core';
import { ToolFailure, defineTool, type ToolContext } from '@/kit';

import { boundedCount, pathArgument, READS_ONLY } from '../arguments';
import { withFile } from '../open-file';
import { runProgram } from '../programs/run-program';
import { readScan } from '../programs/yara-output';

const MOST_RULES_BYTES = 1024 * KiB;
const SCAN_S = 120;

/** YARA takes a directive for an include only with a space or tab before the quote. */
const INCLUDE = /include[ \t]+"/;

export const scanRules = defineTool({
  name: 'scan_rules',
  title: 'Scan with YARA rules',
  description:
    'Scans a file with YARA rules and answers the rules that match, with their tags and the strings that made them match. ' +
    'Give the rules as text in `rules`, or a file of them in `rules_path`, exactly one of them. `include` is not allowed in rules.',
  input: z.strictObject({
    path: pathArgument,
    rules: z.string().min(1).max(MOST_RULES_BYTES).optional().describe('YARA rules as text.'),
    rules_path: z.string().min(1).optional().describe('Path of a file of YARA rules, found like `path`.'),
    max_matches: boundedCount('Matching strings to answer', { fallback: 200, most: 5000 }),
  }),
  output: z.object({
    rules: z.array(
      z.object({
        rule: z.string(),
        tags: z.array(z.string()),
        strings: z.array(z.object({ offset: z.int(), identifier: z.string(), data: z.string() })),
      }),
    ),
    total_matches: z.int(),
    truncated: z.boolean(),
  }),
  annotations: READS_ONLY,
  needs: { binary: 'yara' },
  remediation: 'Install YARA (Debian and Ubuntu: apt-get install yara; macOS: brew install yara), then restart this server.',
  timeout_s: SCAN_S,
  run: async ({ path: given, rules, rules_path, max_matches }, context) => {
    const text = await readRules(rules, rules_path, context);
    const folder = await mkdtemp(path.join(tmpdir(), 'signalbox-rules-'));
    try {
      const rulesFile = path.join(folder, 'rules.yar');
      await writeFile(rulesFile, text, { mode: 0o600 });
      const { exitCode, stdout, stderr, isCut } = await withFile(given, context, (file) =>
        runProgram(context.dependency ?? 'yara', ['-w', '-g', '-s', '-a', String(SCAN_S), rulesFile, '/dev/stdin'], {
          input: file.descriptor,
          signal: context.signal,
        }),
      );
      if (exitCode !== 0 && !isCut) throw toScanFailure(stderr.replaceAll(rulesFile, 'rules').replaceAll('rules.yar', 'rules'));
      const scan = readScan(stdout, max_matches);
      return { ...scan, truncated: scan.truncated || isCut };
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

async function readRules(rules: string | undefined, rulesPath: string | undefined, context: ToolContext): Promise<string> {
  if (rules !== undefined && rulesPath !== undefined) throw oneOfRules();
  const text = rules ?? (rulesPath === undefined ? undefined : await readRulesFile(rulesPath, context));
  if (text === undefined) throw oneOfRules();
  if (INCLUDE.test(text)) {
    throw new ToolFailure('bad_argument', 'The rules include another file, which this tool does not open.', 'Put all rules into one text.');
  }
  return text;
}

const readRulesFile = (rulesPath: string, context: ToolContext): Promise<string> =>
  withFile(rulesPath, context, async (file) => {
    if (file.sizeBytes > MOST_RULES_BYTES) {
      throw new ToolFailure('bad_argument', `/rules_path: ${file.name} is larger than 1 MiB.`, 'Give fewer rules at a time.');
    }
    return (await file.read(0, MOST_RULES_BYTES)).toString('utf8');
  });

const oneOfRules = (): ToolFailure =>
  new ToolFailure('bad_argument', 'scan_rules takes either /rules or /rules_path, and exactly one of them.', 'Give the rules as text, or the path of a file of rules.');

function toScanFailure(stderr: string): ToolFailure {
  const words = stderr === '' ? 'it gave no reason' : stderr;
  return /error: .*|syntax/i.test(stderr) && /rules\(\d+\)|rule /.test(stderr)
    ? new ToolFailure('bad_argument', `YARA refused the rules: ${words}`, 'Correct the rules; the number in brackets is the line.')
    : new ToolFailure('tool_failed', `YARA could not scan the file: ${words}`, 'Try the same rules on a smaller file.');
}
