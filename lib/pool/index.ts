export * from './explain-failure';
export * from './failure';
export * from './filter-messages';
export * from './match-messages';
export * from './scrub-failure';
export * from './state';
export * from './wire-message';
export * from './wire-shape';
