export { CallPath } from './call-path';
export { GuardBook, type GuardStanding } from './guard-book';
export { GuardWatch } from './guard-watch';
