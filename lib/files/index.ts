export * from './disclosure';
export * from './file-kind';
export * from './hand-over';
export * from './handing';
export * from './indicators';
export * from './output';
export * from './reference';
export * from './sample';
