export { ConnectionTester, type ConnectionTesterOptions, type TestOptions } from './connection-tester';
export { testClockMs } from './run-test';
export type { FollowedTest } from './running-tests';
export type { StoredTest } from './test-store';
