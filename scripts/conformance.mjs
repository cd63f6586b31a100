// `npm run conformance`: the official suite against our connection layer, for both revisions (docs/conformance.md).
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { BUNDLE } from './bundle-options.mjs';
import { checkExpectedFailures, judge, readSummary } from './conformance-verdict.mjs';
import { installLocked } from './install.mjs';
import { capture, ROOT } from './run.mjs';

const REVISIONS = ['2025-11-25', '2026-07-28'];
const FOLDER = join(ROOT, 'e2e', 'conformance');
const HARNESS = join(FOLDER, 'harness');
const SUITE = join(HARNESS, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const CLIENT = join(ROOT, 'node_modules', '.cache', 'conformance', 'client.mjs');
const RESULTS = join(ROOT, 'test-results', 'conformance');
const REPORT = join(ROOT, 'test-results', 'reports', 'conformance.json');
/** The scenarios of a revision start together, each with a client of its own: on a busy machine that takes a while. */
const TIMEOUT_MS = 150_000;

/** The Node that the suite runs on: the one installed with it, or this one where that has none for the machine. */
function findSuiteNode() {
  const installed = join(HARNESS, 'node_modules', '.bin', 'node');
  return existsSync(installed) ? installed : process.execPath;
}

/** The client runs on this very Node, as the console does; the suite hands its command to a shell. */
const CLIENT_COMMAND = [process.execPath, CLIENT].map((part) => (part.includes(' ') ? `"${part}"` : part)).join(' ');

async function runRevision(revision) {
  const { output } = await capture(findSuiteNode(), [
    SUITE, 'client', '--requirements', revision, '--command', CLIENT_COMMAND, '--timeout', String(TIMEOUT_MS), '--verbose',
    '--output-dir', join(RESULTS, revision),
  ]);
  const results = readSummary(output);
  if (results.length === 0) process.stdout.write(output);
  return results;
}

const list = (names) => (names.length === 0 ? '' : ` (${names.join(', ')})`);

process.chdir(ROOT);
// npm runs on this Node, the packages on the newer one that is among them.
const forNewerNode = ['--engine-strict=false', '--loglevel=error'];
if (!(await installLocked(HARNESS, 'Installing the conformance suite (half a minute the first time)…', forNewerNode))) {
  process.stderr.write('The conformance suite could not be installed; what npm printed above says why. Mend that and run the same command again.\n');
  process.exit(1);
}
await build({ ...BUNDLE, entryPoints: [join(FOLDER, 'client.ts')], outfile: CLIENT });
rmSync(RESULTS, { recursive: true, force: true });

const expectedFailures = JSON.parse(readFileSync(join(FOLDER, 'expected-failures.json'), 'utf8'));
const counts = { passed: 0, failed: 0, skipped: 0 };
const everything = [];
for (const revision of REVISIONS) {
  const results = await runRevision(revision);
  const { passed, expected, notRequired, problems } = judge(results, expectedFailures);
  everything.push(...results);
  counts.passed += passed.length;
  counts.failed += problems.length;
  counts.skipped += expected.length;
  process.stdout.write(
    `${revision}\n  passed: ${passed.length}${list(passed)}\n  failed as expected: ${expected.length}\n` +
      `  failed, and not required: ${notRequired.length}${list(notRequired)}\n`,
  );
  for (const problem of problems) process.stdout.write(`  PROBLEM ${problem}\n`);
}
for (const problem of checkExpectedFailures(expectedFailures, everything)) {
  counts.failed += 1;
  process.stdout.write(`PROBLEM ${problem}\n`);
}
mkdirSync(join(ROOT, 'test-results', 'reports'), { recursive: true });
writeFileSync(REPORT, JSON.stringify(counts));
process.stdout.write(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
process.exit(counts.failed === 0 ? 0 : 1);
