import type { ViewId } from '@/lib/core';

/** A filter of the ledger that somebody gave a name. */
export interface SavedView {
  readonly id: ViewId;
  readonly name: string;
  /** The filter as its part of the address. */
  readonly search: string;
  readonly ownerName: string;
  /** Whether everybody finds it, not its owner alone. */
  readonly shared: boolean;
}

export const MAX_VIEW_NAME_CHARACTERS = 60;
