export { isRunning, thisProcess } from './owner';
export { LedgerReader } from './reader';
export { RunStore } from './run-store';
export { indexOlderEntries } from './text-backfill';
export { LedgerWriter } from './writer';
