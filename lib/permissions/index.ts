export { decideExposedName, MAX_EXPOSED_NAME, type NameSource } from './decide-name';
