import type { Result } from '@/lib/core';
import type { Configuration, ReadProblem } from './configuration';

export declare function readConfiguration(
  text: string,
  options?: { readonly fileName?: string },
): Result<Configuration, ReadProblem>;
