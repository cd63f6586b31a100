import { isObject } from '@/lib/core';
import { withoutNulls } from '../seam/without-nulls';
import { MODERN_REVISION } from './client';

/**
 * The answer to `initialize` or `server/discover` as the library can read it: null for what is left out becomes
 * absent, and what many hand-made servers leave out (capabilities, the server's name or version) stands as empty.
 */
export function mendHandshake(method: string, result: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const whole = withoutNulls(result);
  if (method !== 'initialize') return whole;
  const serverInfo = isObject(whole.serverInfo) ? whole.serverInfo : {};
  const { protocolVersion = 'none' } = whole;
  // What is no text cannot be a revision: as its text it is refused by name.
  const revision = typeof protocolVersion === 'string' ? protocolVersion : JSON.stringify(protocolVersion);
  return { capabilities: {}, ...whole, protocolVersion: revision, serverInfo: { name: '', version: '', ...serverInfo } };
}

/** Whether an answer to `server/discover` offers the modern era. */
export const namesModernRevision = ({ supportedVersions }: Readonly<Record<string, unknown>>): boolean =>
  Array.isArray(supportedVersions) && supportedVersions.includes(MODERN_REVISION);
