/** What a command answers to its caller (product section 13). */
export const EXIT = {
  ok: 0,
  failed: 1,
  /** Usage, a file that cannot be read, a KEY that does not exist. */
  usage: 2,
  notSent: 3,
  mayHaveHappened: 4,
} as const;
export type ExitCode = (typeof EXIT)[keyof typeof EXIT];

/** Ends a command with exit code 2 and a sentence on stderr. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}
