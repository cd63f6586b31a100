export { BlobStore } from './blob-store';
export { CONSOLE_JOB, JobDirectories } from './job-directories';
