import type { AppErrorCode, FieldError } from './app-error';

/** What every server action answers; it never throws but to redirect. */
export type ActionResult<Data> =
  | { readonly ok: true; readonly data: Data }
  | {
      readonly ok: false;
      readonly code: AppErrorCode;
      readonly message: string;
      readonly remedy: string | null;
      readonly fields: readonly FieldError[];
      /** Finds the failure in the log. */
      readonly ref: string;
    };
