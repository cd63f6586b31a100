import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { isObject } from '@/lib/core';

/**
 * The folder of this installation: the nearest one, from any of the places upwards, whose package.json is ours.
 * Bundles do not know where they came from, so the places are the program that was started and the working directory.
 * @returns undefined where none is found
 */
export function findPackageRoot(places: readonly string[]): string | undefined {
  for (const place of places) {
    if (!existsSync(place)) continue;
    for (let folder = realpathSync(place); ; folder = dirname(folder)) {
      if (isOurs(join(folder, 'package.json'))) return folder;
      if (folder === dirname(folder)) break;
    }
  }
  return undefined;
}

function isOurs(file: string): boolean {
  if (!existsSync(file)) return false;
  try {
    const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(manifest) && manifest.name === 'signalbox';
  } catch {
    return false;
  }
}
