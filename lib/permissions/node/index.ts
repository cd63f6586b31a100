export { FileNames, StoredNames, type ExposedNames, type NamedTool } from './exposed-names';
