export * from './connection-fields';
export * from './entry';
export * from './entry-fields';
export * from './key';
export * from './package-runner';
export * from './parse-entry';
export * from './resolved';
export * from './secret-fields';
