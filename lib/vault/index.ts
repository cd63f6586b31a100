export * from './secret-name';
