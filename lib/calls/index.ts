export * from './clocks';
export * from './console-error';
export * from './outcome';
export * from './read-answer';
export * from './remedies';
export * from './request';
