export * from './principal';
export * from './role';
