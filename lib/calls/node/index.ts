export { CallPath } from './call-path';
export { GuardBook } from './guard-book';
