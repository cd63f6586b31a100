export * from './check-server';
export * from './stages';
export * from './test-result';
export * from './test-warnings';
export { toToolJson, type CheckTool, type ToolJson } from './tool-json';
