import type { FieldError } from '@/lib/core';
import type { ServerEntry, ServerRecord } from '..';

/** Why a change to a server was not saved; what was saved before stays. */
export type SaveProblem =
  | { readonly kind: 'invalid'; readonly fields: readonly FieldError[] }
  /** Someone saved a newer revision meanwhile: both, so that a person can choose. */
  | { readonly kind: 'conflict'; readonly current: ServerRecord; readonly yours: ServerEntry }
  | { readonly kind: 'missing'; readonly message: string };
