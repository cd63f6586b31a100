export * from './explain-failure';
export * from './failure';
export * from './state';
