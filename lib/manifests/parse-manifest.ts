import type { JsonObject } from '@/lib/core';
import type { CapabilityManifest } from './manifest';

export declare function parseManifest(value: unknown): CapabilityManifest | null;
export declare function manifestFromResult(result: JsonObject): {
  readonly manifest: CapabilityManifest | null;
  readonly problem: string | null;
};
