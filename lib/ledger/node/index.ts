export { exportEntries } from './export';
export { isRunning, thisProcess } from './owner';
export { LedgerReader } from './reader';
export { LedgerRetention } from './retention';
export { RetentionJob } from './retention-job';
export { RunStore } from './run-store';
export { indexMissingEntries, indexOlderEntries } from './text-backfill';
export { LedgerWriter } from './writer';
export { ViewStore } from './view-store';
