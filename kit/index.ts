export { defineServer, type CallAnswer, type ListedTool, type ServerOptions, type ToolServer } from './define-server';
export { defineTool, type Tool, type ToolAnnotations, type ToolContext } from './define-tool';
export { ToolFailure, type ToolError, type ToolErrorCode } from './failure';
export type { HostEnvironment } from './host';
export type { Need } from './needs';
