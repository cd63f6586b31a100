import type { Result } from '@/lib/core';
import type { ConfiguredServer, ReadProblem } from './configuration';

export interface Pasted {
  readonly source: 'configuration' | 'entry' | 'url' | 'command';
  /** At least one; several where a whole configuration was pasted. */
  readonly servers: readonly [ConfiguredServer, ...ConfiguredServer[]];
  readonly warnings: readonly string[];
}

export declare function readPasted(text: string): Result<Pasted, ReadProblem>;
