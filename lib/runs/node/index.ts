export { RunReader } from './run-reader';
