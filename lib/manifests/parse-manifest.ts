import { isObject, type JsonObject } from '@/lib/core';
import type { CapabilityManifest, ManifestTool } from './manifest';

/** What reading a server's `capabilities` gave: a manifest, or why there is none. */
export interface ManifestReading {
  readonly manifest: CapabilityManifest | null;
  readonly problem: string | null;
}

/**
 * The manifest in the value of a `capabilities` answer, read as tolerantly as product section 4 says;
 * null where there is none. Never throws.
 */
export function parseManifest(value: unknown): CapabilityManifest | null {
  if (!isObject(value) || !Array.isArray(value['tools'])) return null;
  const tools = new Map<string, ManifestTool>();
  for (const entry of value['tools']) {
    const tool = readTool(entry);
    // Of two entries of one name the first stands: a later one cannot take back what was said.
    if (tool && !tools.has(tool.name)) tools.set(tool.name, tool);
  }
  return {
    server: textOf(value['server']),
    version: textOf(value['version']),
    external: value['external'] === true,
    tools: [...tools.values()],
  };
}

function readTool(entry: unknown): ManifestTool | null {
  if (!isObject(entry)) return null;
  const name = textOf(entry['name']);
  if (name === null) return null;
  const timeoutS = entry['timeout_s'];
  const verifyWith: unknown = entry['verify_with'];
  return {
    name,
    optionalDependency: textOf(entry['optional_dependency']),
    available: entry['available'] !== false,
    reason: textOf(entry['reason']),
    timeoutS: typeof timeoutS === 'number' && Number.isFinite(timeoutS) && timeoutS > 0 ? timeoutS : null,
    remediation: textOf(entry['remediation']),
    without: textOf(entry['without']),
    longRunning: entry['long_running'] === true,
    verifyWith: Array.isArray(verifyWith) ? verifyWith.filter((tool) => typeof tool === 'string') : [],
  };
}

/** The manifest in the whole result of a `capabilities` call. Never throws. */
export function manifestFromResult(result: JsonObject): ManifestReading {
  if (result['isError'] === true) return noManifest('its answer is an error');
  const value = valueOf(result);
  if (value === undefined) return noManifest('its answer is no JSON');
  const manifest = parseManifest(value);
  return manifest ? { manifest, problem: null } : noManifest('its answer has no list named `tools`');
}

/** Why there is no manifest although there is a tool for it, as a whole sentence. */
export const noManifest = (reason: string) => ({
  manifest: null,
  problem: `The server has a tool named \`capabilities\`, but ${reason}; every tool is taken as available.`,
});

/** A result's value for this purpose: structured content, else its only text item where that is JSON. */
function valueOf(result: JsonObject): unknown {
  const structured = result['structuredContent'];
  if (structured !== undefined && structured !== null) return structured;
  const content = result['content'];
  if (!Array.isArray(content)) return undefined;
  const texts = content.filter((block: unknown) => isObject(block) && block['type'] === 'text');
  const only: unknown = texts.length === 1 ? texts[0] : undefined;
  if (!isObject(only) || typeof only['text'] !== 'string') return undefined;
  try {
    return JSON.parse(only['text']);
  } catch {
    return undefined;
  }
}

/** Empty text says nothing, so it is as good as none. */
const textOf = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null);
