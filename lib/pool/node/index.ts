export type { ChildRecord, ChildRecords } from './child-records';
export { StoredChildRecords } from './child-records';
export type {
  Connection, ConnectionLists, OpenConnection, OpenConnectionOptions, PrintedLine, StageEvent, StartedCommand, StrayLines,
  WireAnswer, WireCall, WireNote,
} from './connection';
export type { EraVerdict, EraVerdicts } from './era-verdicts';
export { StoredEraVerdicts } from './era-verdicts';
export { openConnection } from './open-connection';
export { Pool } from './pool';
export type { Acquired, Lease, PoolOptions, Purpose, SnapshotSink } from './pool-options';
export { sweepLeftovers } from './leftovers';
export { StartQueue } from './start-queue';
export { TrafficBook, type TrafficQuery } from './traffic';
export type { Elicitation, ElicitationAnswer, Sampling, SamplingAnswer, ServerRequestHooks } from './server-requests';
