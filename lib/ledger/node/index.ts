export { isRunning, thisProcess, type ProcessIdentity } from './owner';
export { type Payloads } from './payloads';
export { LedgerReader, type LedgerFacets, type LedgerReaderOptions } from './reader';
export { type CursoredRow } from './rows';
export { RunStore } from './run-store';
export { type Scrubber } from './scrub';
export { LedgerWriter, type LedgerWriterOptions, type OpenedEntry, type OpeningRequest } from './writer';
