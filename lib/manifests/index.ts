export * from './manifest';
export * from './tool-list';
export * from './tool-view';
