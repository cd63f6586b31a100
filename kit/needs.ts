import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

import type { HostEnvironment } from './host';

/**
 * What a tool needs of the machine it runs on. `binary`: any one of the programs; `module`: a module
 * that loads; `env`: all of the variables, set and not empty.
 */
export type Need =
  | { readonly binary: string | readonly string[] }
  | { readonly module: string }
  | { readonly env: string | readonly string[] };

export type Probe =
  | { readonly available: true; readonly dependency: string }
  | { readonly available: false; readonly reason: string };

const MODULE_CLOCK_MS = 5_000;

const listOf = (names: string | readonly string[]): readonly string[] => (typeof names === 'string' ? [names] : names);

/** The dependency as the manifest names it: `yara`, `7zz or 7z`, `API_URL and API_KEY`. */
export function describeNeed(need: Need): string {
  if ('binary' in need) return listOf(need.binary).join(' or ');
  if ('module' in need) return need.module;
  return listOf(need.env).join(' and ');
}

/** Looks for what a tool needs: a binary is looked up, a module imported, a variable read. Never throws. */
export async function probeNeed(need: Need, environment: HostEnvironment): Promise<Probe> {
  if ('binary' in need) return probeBinary(listOf(need.binary), environment);
  if ('module' in need) return probeModule(need.module);
  return probeVariables(listOf(need.env), environment);
}

async function probeBinary(names: readonly string[], environment: HostEnvironment): Promise<Probe> {
  const folders = (environment.PATH ?? '').split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const endings = process.platform === 'win32' ? ['', ...(environment.PATHEXT ?? '.EXE').split(';')] : [''];
  for (const name of names) {
    for (const folder of folders) {
      for (const ending of endings) {
        const file = path.join(folder, name + ending);
        if (await isProgram(file)) return { available: true, dependency: file };
      }
    }
  }
  const missing = names.length === 1 ? `${names[0]} is not` : `none of ${names.join(', ')} is`;
  return { available: false, reason: `${missing} on the PATH that this server sees` };
}

async function isProgram(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

async function probeModule(name: string): Promise<Probe> {
  let timer: NodeJS.Timeout | undefined;
  const clock = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`it did not load within ${MODULE_CLOCK_MS / 1000} s`)), MODULE_CLOCK_MS);
  });
  try {
    await Promise.race([importModule(name), clock]);
    return { available: true, dependency: name };
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    return { available: false, reason: `the module ${name} cannot be loaded: ${why}` };
  } finally {
    clearTimeout(timer);
  }
}

/** From where the kit stands; where that fails, from the server's own file, as the author would import it. */
async function importModule(name: string): Promise<void> {
  try {
    await import(/* @vite-ignore */ name);
  } catch (cause) {
    const main = process.argv[1];
    if (main === undefined) throw cause;
    let resolved: string;
    try {
      resolved = createRequire(pathToFileURL(main)).resolve(name);
    } catch {
      throw cause;
    }
    await import(/* @vite-ignore */ pathToFileURL(resolved).href);
  }
}

function probeVariables(names: readonly string[], environment: HostEnvironment): Probe {
  const missing = names.filter((name) => (environment[name] ?? '') === '');
  if (missing.length === 0) return { available: true, dependency: names.join(' and ') };
  return {
    available: false,
    reason: `${missing.join(' and ')} ${missing.length === 1 ? 'is' : 'are'} not set in this server's environment`,
  };
}
