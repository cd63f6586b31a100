export * from './outcome';
export * from './request';
