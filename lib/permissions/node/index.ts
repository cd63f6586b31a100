export type { ExposedNames, NamedTool } from './exposed-names';
export { FileNames } from './file-names';
export { StoredNames } from './stored-names';
