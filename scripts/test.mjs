// `npm test`: installs what is missing, runs every check, and ends with one line that counts them all.
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { requireChromium } from './chromium.mjs';
import { installPackages } from './install.mjs';
import { capture, ROOT } from './run.mjs';

const REPORTS = join(ROOT, 'test-results', 'reports');
const bin = (name) => join(ROOT, 'node_modules', '.bin', name);

/** A check that passes or fails as a whole. */
const asOne = (code) => ({ passed: code === 0 ? 1 : 0, failed: code === 0 ? 0 : 1, skipped: 0 });

const readReport = (name) => JSON.parse(readFileSync(join(REPORTS, name), 'utf8'));

/** The counts of a runner's report; a runner that broke before writing one is one failure. */
function fromReport(name, code, read) {
  try {
    const counts = read(readReport(name));
    return code !== 0 && counts.failed === 0 ? { ...counts, failed: 1 } : counts;
  } catch {
    return asOne(1);
  }
}

const fromVitest = (name, code) =>
  fromReport(name, code, (report) => ({
    passed: report.numPassedTests,
    failed: report.numFailedTests + report.testResults.filter((file) => file.status === 'failed' && file.assertionResults.length === 0).length,
    skipped: report.numPendingTests + report.numTodoTests,
  }));

const fromPlaywright = (name, code) =>
  fromReport(name, code, ({ stats }) => ({ passed: stats.expected + stats.flaky, failed: stats.unexpected, skipped: stats.skipped }));

const vitest = (project, ...options) => async () => {
  const report = `${project}.json`;
  const { code, output } = await capture(bin('vitest'), [
    'run', '--project', project, ...options, '--reporter=default', '--reporter=json', `--outputFile.json=${join(REPORTS, report)}`,
  ]);
  return { counts: fromVitest(report, code), output };
};

const check = (command, args, env) => async () => {
  const { code, output } = await capture(command, args, env);
  return { counts: asOne(code), output };
};

async function conformance() {
  const { code, output } = await capture(process.execPath, ['scripts/conformance.mjs']);
  return { counts: fromReport('conformance.json', code, (report) => report), output };
}

async function browser() {
  const chromium = await requireChromium();
  if (chromium === null) return { counts: asOne(1), output: 'no Chromium: see above for how to get it' };
  const { code, output } = await capture(bin('playwright'), ['test', '--reporter=list,json'], {
    CHROMIUM_PATH: chromium,
    PLAYWRIGHT_JSON_OUTPUT_FILE: join(REPORTS, 'browser.json'),
  });
  return { counts: fromPlaywright('browser.json', code), output };
}

/** Two lanes for two cores; what stands in a lane runs in order, and the browser waits for both. */
const LANES = [
  [
    ['build', check('npm', ['run', '--silent', 'build'])],
    // They wait for processes and clocks more than they compute: three files at once, whatever the machine has.
    ['protocol and processes', vitest('int', '--maxWorkers=3')],
  ],
  [
    ['types', check(bin('tsc'), ['--noEmit'])],
    ['lint', check('npm', ['run', '--silent', 'lint'])],
    ['boundaries', check('npm', ['run', '--silent', 'boundaries'])],
    ['unused', check('npm', ['run', '--silent', 'unused'])],
    ['unit', vitest('unit')],
    ['conformance', conformance],
  ],
];

const total = { passed: 0, failed: 0, skipped: 0 };

async function perform([name, work]) {
  const startedAt = Date.now();
  const { counts, output } = await work();
  for (const part of ['passed', 'failed', 'skipped']) total[part] += counts[part];
  const seconds = Math.round((Date.now() - startedAt) / 1000);
  const state = counts.failed === 0 ? 'ok' : 'FAILED';
  process.stdout.write(`${state.padEnd(7)}${name} (${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped; ${seconds} s)\n`);
  if (counts.failed > 0) process.stdout.write(`${output}\n`);
}

async function performLane(lane) {
  for (const step of lane) await perform(step);
}

process.chdir(ROOT);
if (!(await installPackages())) process.exit(1);
rmSync(join(ROOT, 'test-results'), { recursive: true, force: true });
mkdirSync(REPORTS, { recursive: true });
// Types of routes are made before the lanes part: both read them.
await capture('npm', ['run', '--silent', 'typegen']);
await Promise.all(LANES.map(performLane));
await perform(['browser', browser]);
process.stdout.write(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped\n`);
process.exit(total.failed === 0 ? 0 : 1);
