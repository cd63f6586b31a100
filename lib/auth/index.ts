export * from './principal';
export * from './request-origin';
export * from './role';
