export * from './entry';
export * from './filter';
