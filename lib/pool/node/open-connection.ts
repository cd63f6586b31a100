import type { Result } from '@/lib/core';
import type { ConnectFailure } from '..';
import type { Connection, OpenConnectionOptions } from './connection';

/**
 * Sets a connection up: config, resolve, spawn or connect, http, auth, negotiate, list; each stage is reported.
 * What was opened is closed before a failure is returned. Ends at its clock or when the signal fires.
 */
export declare function openConnection(
  options: OpenConnectionOptions,
  signal: AbortSignal,
): Promise<Result<Connection, ConnectFailure>>;
