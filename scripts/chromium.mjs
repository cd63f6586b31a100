// Finds the Chromium that the browser tests drive, or gets it from Debian's packages.
import { existsSync } from 'node:fs';
import { findProgram, run } from './run.mjs';

const NAMES = ['chromium', 'chromium-browser', 'google-chrome'];

async function findChromium() {
  if (process.env.CHROMIUM_PATH) return existsSync(process.env.CHROMIUM_PATH) ? process.env.CHROMIUM_PATH : null;
  for (const name of NAMES) {
    const path = await findProgram(name);
    if (path !== null) return path;
  }
  return null;
}

/** The path of Chromium, or null after saying how to get it. */
export async function requireChromium() {
  const found = await findChromium();
  if (found !== null) return found;
  const canInstall = process.getuid?.() === 0 && (await findProgram('apt-get')) !== null;
  if (canInstall) {
    process.stdout.write("Installing Chromium from the system's packages…\n");
    const code =
      (await run('apt-get', ['update', '-qq'])) ||
      (await run('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium', 'fonts-liberation'], {
        DEBIAN_FRONTEND: 'noninteractive',
      }));
    if (code === 0) return findChromium();
  }
  process.stderr.write(
    'The browser tests need Chromium. On Debian: sudo apt-get install chromium. Elsewhere: npx playwright install chromium, ' +
      'or install Chrome, and set CHROMIUM_PATH to its program.\n',
  );
  return null;
}
