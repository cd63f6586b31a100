import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolResult,
  type Tool as WireTool,
} from '@modelcontextprotocol/server';

import type { JsonObject, Result } from '@/lib/core';

import type { Tool } from './define-tool';
import type { ToolError } from './failure';
import { toInputSchema, toOutputSchema } from './schema';

/** What every transport serves. */
export interface Served {
  readonly name: string;
  readonly version: string;
  readonly instructions?: string;
  readonly tools: readonly Tool[];
  readonly call: (name: string, args: unknown, signal: AbortSignal) => Promise<Result<JsonObject, ToolError>>;
}

/** One SDK server over the tools; it answers in the era that the transport opened. */
export function toSdkServer({ name, version, instructions, tools, call }: Served): Server {
  const server = new Server({ name, version }, { capabilities: { tools: {} }, ...(instructions && { instructions }) });
  const listed = tools.map(toWireTool);
  server.setRequestHandler('tools/list', () => ({ tools: listed }));
  server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
    const tool = tools.find((candidate) => candidate.name === params.name);
    // The protocol's own answer for a name that is not listed; `callTool` of the kit answers an envelope.
    if (tool === undefined) throw new ProtocolError(ProtocolErrorCode.InvalidParams, `Unknown tool: ${params.name}`);
    return toCallResult(tool, await call(params.name, params.arguments, mcpReq.signal));
  });
  return server;
}

function toWireTool({ name, title, description, input, output, annotations }: Tool): WireTool {
  return {
    name,
    description,
    ...(title !== undefined && { title }),
    inputSchema: toInputSchema(input),
    ...(output !== undefined && { outputSchema: toOutputSchema(output) }),
    ...(annotations !== undefined && { annotations }),
  };
}

/**
 * An answer is its object as structured content and as text. An error is the envelope of product
 * section 5 as text; as structured content too only where the tool declares no output schema, since
 * clients of the v1 SDK check even an error against that schema and then throw its words away.
 */
function toCallResult(tool: Tool, answer: Result<JsonObject, ToolError>): CallToolResult {
  if (answer.ok) return { content: [toText(answer.value)], structuredContent: answer.value };
  const { code, message, remediation } = answer.error;
  const envelope = { error: { code, message, remediation }, tool: tool.name };
  return { isError: true, content: [toText(envelope)], ...(tool.output === undefined && { structuredContent: envelope }) };
}

const toText = (value: JsonObject) => ({ type: 'text' as const, text: JSON.stringify(value) });
