export { BlobStore } from './blob-store';
export { openCallFiles, type CallFiles } from './call-files';
export { CONSOLE_JOB, JobDirectories } from './job-directories';
export type { MakePlumbingCall, PlumbingCall } from './plumbing';
export type { StagedCall } from './stager';
