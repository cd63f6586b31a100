export type { BundledCommand } from './bundled';
export type { ServerDirectory } from './directory';
export { FileServers, type BrokenServer } from './file-servers';
export { resolveServer, type ResolveContext } from './resolve-server';
export type { SaveProblem } from './save-problem';
export { ServerStore, type Review, type Saved, type ServerStoreOptions } from './store';
