export type { Configuration, ConfigurationFormat, ConfiguredServer, ReadProblem } from './configuration';
export { readConfiguration } from './read-configuration';
export { readPasted, type Pasted } from './read-pasted';
export { toPasted } from './to-pasted';
