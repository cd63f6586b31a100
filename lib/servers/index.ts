export * from './entry';
export * from './key';
export * from './resolved';
