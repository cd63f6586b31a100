export * from './test-result';
