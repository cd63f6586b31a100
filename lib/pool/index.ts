export * from './explain-failure';
export * from './failure';
export * from './scrub-failure';
export * from './state';
