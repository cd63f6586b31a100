export { BlobStore, type StoredBlob } from './blob-store';
export { CONSOLE_JOB, JobDirectories, type JobFile, type StoredJobFile } from './job-directories';
