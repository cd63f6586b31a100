// `npm run up`: from a clone with nothing but Node to a running console.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { installPackages } from './install.mjs';
import { ROOT, run } from './run.mjs';

const SOURCES = [
  'app', 'bin', 'components', 'db', 'kit', 'lib', 'scripts', 'instrumentation.ts', 'proxy.ts', 'next.config.ts',
  'postcss.config.mjs', 'tsconfig.json', 'package-lock.json',
];
const STAMP = join(ROOT, 'dist', '.built-from');

/** One digest of all that a build is made from, by name, size and time of change. */
function sourceDigest() {
  const hash = createHash('sha256');
  const visit = (path) => {
    const stats = statSync(path);
    if (stats.isDirectory()) for (const name of readdirSync(path).sort()) visit(join(path, name));
    else hash.update(`${path}\0${stats.size}\0${stats.mtimeMs}\n`);
  };
  for (const source of SOURCES) visit(join(ROOT, source));
  return hash.digest('hex');
}

const isBuilt = () =>
  existsSync(STAMP) && existsSync(join(ROOT, '.next', 'BUILD_ID')) && readFileSync(STAMP, 'utf8') === sourceDigest();

process.chdir(ROOT);
if (!(await installPackages())) process.exit(1);
if (!isBuilt()) {
  process.stdout.write('Building the console (about a minute)…\n');
  const code = await run('npm', ['run', '--silent', 'build']);
  if (code !== 0) {
    process.stderr.write('The console could not be built; what the build printed above says why.\n');
    process.exit(code);
  }
  mkdirSync(join(ROOT, 'dist'), { recursive: true });
  writeFileSync(STAMP, sourceDigest());
}

// The console runs in this very process, so that Ctrl-C and SIGTERM reach it with nothing between.
process.argv = [process.argv[0], join(ROOT, 'bin', 'signalbox'), 'serve', ...process.argv.slice(2)];
await import('../bin/signalbox');
