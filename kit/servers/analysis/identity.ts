/** What content says a file is. */
export interface Identity {
  readonly kind: 'empty' | 'program' | 'script' | 'text' | 'known' | 'unknown';
  readonly type: string;
  readonly mime: string;
  readonly extension: string | null;
}
