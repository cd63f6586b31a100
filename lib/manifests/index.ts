export * from './describe-tools';
export * from './manifest';
export * from './mend-lists';
export * from './parse-manifest';
export * from './tool-list';
export * from './tool-view';
