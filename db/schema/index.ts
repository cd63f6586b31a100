export * from './files';
export * from './health';
export * from './ledger';
export * from './people';
export * from './servers';
export * from './settings';
