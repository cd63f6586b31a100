export type { BundledCommand } from './bundled';
export type { ServerDirectory } from './directory';
export { findProxy } from './find-proxy';
export { FileServers, type BrokenServer } from './file-servers';
export { resolveServer } from './resolve-server';
export type { SaveProblem } from './save-problem';
export { ServerStore, type Review, type Saved } from './store';
