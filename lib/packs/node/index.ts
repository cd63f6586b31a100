export { Selector } from './selector';
