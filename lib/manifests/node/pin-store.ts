import type { Database } from '@/db/client';
import type { ServerKey } from '@/lib/servers';
import type { ListedTool } from '..';

export interface Pin {
  readonly tool: string;
  readonly hash: string;
  readonly definition: unknown;
  readonly reviewedAt: number;
  readonly reviewedBy: string;
}

export declare class PinStore {
  constructor(database: Database);
  list(key: ServerKey): readonly Pin[];
  /** Replaces the server's pins; call it inside the transaction of the review. */
  take(key: ServerKey, tools: readonly ListedTool[], reviewedBy: string, reviewedAt: number): void;
}
