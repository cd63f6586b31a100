export * from './failure';
export * from './state';
