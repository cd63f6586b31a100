export * from './directory';
export * from './file-servers';
export * from './resolve-server';
export * from './save-problem';
export * from './store';
