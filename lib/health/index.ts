export * from './call-share';
export * from './latency';
export * from './settings';
export * from './verdict';
export * from './view';
export * from './webhook';
