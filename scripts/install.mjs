// Installs packages where they are missing or no longer those of the lock file.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram, ROOT, run } from './run.mjs';

/** Installs a folder's packages as its lock file names them, unless they are there; answers whether they are now. */
export async function installLocked(folder, announcement, options = []) {
  const stamp = join(folder, 'node_modules', '.signalbox-lock');
  const digest = createHash('sha256').update(readFileSync(join(folder, 'package-lock.json'))).digest('hex');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === digest) return true;
  process.stdout.write(`${announcement}\n`);
  if ((await run('npm', ['ci', '--no-audit', '--no-fund', '--prefix', folder, ...options])) !== 0) return false;
  writeFileSync(stamp, digest);
  return true;
}

/** Answers whether the product's packages are there; says why not and what to do where they are not. */
export async function installPackages() {
  if (await installLocked(ROOT, 'Installing packages (two minutes the first time)…')) return true;
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
