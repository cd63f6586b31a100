export type { ChildRecord, ChildRecords } from './processes/child-records';
export { StoredChildRecords } from './processes/child-records';
export type {
  Connection, ConnectionLists, OpenConnection, OpenConnectionOptions, PrintedLine, StageEvent, StartedCommand, StrayLines,
  WireAnswer, WireCall, WireNote,
} from './connection';
export type { EraVerdict, EraVerdicts } from './set-up/era-verdicts';
export { StoredEraVerdicts } from './set-up/era-verdicts';
export { openConnection } from './set-up/open-connection';
export { Pool } from './pool';
export type { Acquired, Lease, PoolOptions, Purpose, SnapshotSink } from './pool-options';
export { sweepLeftovers } from './processes/leftovers';
export { KnownSecrets } from './known-secrets';
export { StartQueue } from './start-queue';
export type { StreamedContent } from './transports/streamed-content';
export { Dialer } from './transports/dialer';
export { TrafficBook, type TrafficQuery } from './traffic/traffic';
export type { Elicitation, ElicitationAnswer, Sampling, SamplingAnswer, ServerRequestHooks } from './seam/server-requests';
