/** Why a broken assumption is reported; the codes that actions and routes answer with. */
export type AppErrorCode =
  | 'bad_input'
  | 'not_signed_in'
  | 'not_allowed'
  | 'not_found'
  | 'conflict'
  | 'too_large'
  | 'unavailable'
  | 'internal';

export interface FieldError {
  /** Dotted path of the field as a person knows it, `env.API_KEY` or `args.0`; empty for the whole. */
  readonly field: string;
  /** A sentence that says what is wrong and what to write instead. */
  readonly message: string;
}

interface AppErrorOptions {
  readonly code: AppErrorCode;
  /** Safe to show to the person who asked: no secret, no path that they may not know. */
  readonly message: string;
  /** What to do about it, where there is something to do. */
  readonly remedy?: string;
  readonly retry?: 'never' | 'later';
  readonly fields?: readonly FieldError[];
  /** For the log alone. */
  readonly data?: Readonly<Record<string, unknown>>;
  readonly cause?: unknown;
}

const BRAND = Symbol.for('signalbox.app-error');

/** A failure that is thrown because the caller cannot go on; expected outcomes are values instead. */
export class AppError extends Error {
  /** Next loads this module more than once in a process: what one copy throws is an AppError to all of them. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return typeof value === 'object' && value !== null && BRAND in value;
  }

  readonly [BRAND] = true;
  readonly code: AppErrorCode;
  readonly remedy: string | null;
  readonly retry: 'never' | 'later';
  readonly fields: readonly FieldError[];
  readonly data: Readonly<Record<string, unknown>>;

  constructor(options: AppErrorOptions) {
    super(options.message, { cause: options.cause });
    this.name = 'AppError';
    this.code = options.code;
    this.remedy = options.remedy ?? null;
    this.retry = options.retry ?? 'never';
    this.fields = options.fields ?? [];
    this.data = options.data ?? {};
  }
}
