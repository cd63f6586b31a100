import type { ConnectionPurpose, WireConnection } from '@/lib/pool';

const PURPOSE_WORDS: Record<ConnectionPurpose, string> = { shared: 'shared', test: 'test', run: 'a run' };

/** `connection 3, test`. */
export const describeConnection = ({ number, purpose }: WireConnection): string => `connection ${number}, ${PURPOSE_WORDS[purpose]}`;
