export * from './entry';
export * from './filter';
export * from './filter-search';
export * from './fold';
export * from './preview';
export * from './search-text';
export * from './view';
