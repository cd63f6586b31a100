export { isRunning, thisProcess } from './owner';
export { LedgerReader } from './reader';
export { RunStore } from './run-store';
export { LedgerWriter } from './writer';
