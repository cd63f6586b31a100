export { CallPath, type CallInFlight, type StartedCall } from './call-path';
export { GuardBook, type Rest } from './guard-book';
export { type CallPathOptions } from './ports';
