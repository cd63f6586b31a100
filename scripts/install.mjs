// Installs the packages where they are missing or no longer those of the lock file.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, ROOT, run } from './run.mjs';

const STAMP = join(ROOT, 'node_modules', '.signalbox-lock');

const lockDigest = () => createHash('sha256').update(readFileSync(join(ROOT, 'package-lock.json'))).digest('hex');

/** Answers whether the packages are there; says why not and what to do where they are not. */
export async function installPackages() {
  if (existsSync(STAMP) && readFileSync(STAMP, 'utf8') === lockDigest()) return true;
  process.stdout.write('Installing packages (two minutes the first time)…\n');
  const code = await run('npm', ['ci', '--no-audit', '--no-fund']);
  if (code === 0) {
    writeFileSync(STAMP, lockDigest());
    return true;
  }
  const missing = [];
  for (const program of ['python3', 'make', 'g++']) if ((await findProgram(program)) === null) missing.push(program);
  process.stderr.write(
    missing.length > 0
      ? `The packages could not be installed. The database (better-sqlite3) has no prebuilt binary for this machine and is compiled, ` +
          `which needs ${missing.join(', ')}.\nDo this: apt-get install ${missing.join(' ')} (Debian, Ubuntu), ` +
          `or xcode-select --install (macOS); then run the same command again.\n`
      : 'The packages could not be installed; what npm printed above says why. Mend that and run the same command again.\n',
  );
  return false;
}
