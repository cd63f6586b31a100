import type { JsonObject } from '@/lib/core';
import type { CapabilityManifest } from './manifest';

/** The hints a server gives about a tool; a promise of the server's, not a fact. */
export interface ToolAnnotations {
  readonly title?: string;
  readonly readOnlyHint?: boolean;
  readonly destructiveHint?: boolean;
  readonly idempotentHint?: boolean;
  readonly openWorldHint?: boolean;
}

/** A well-formed tool of a server's list. */
export interface ListedTool {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly inputSchema: JsonObject;
  readonly outputSchema: JsonObject | null;
  readonly annotations: ToolAnnotations;
  /** The entry as the server sent it, for pins and for showing. */
  readonly raw: JsonObject;
}

/** An entry of a list that could not be used, and why; its siblings stay. */
export interface SetAsideTool {
  readonly name: string | null;
  readonly reason: string;
  readonly raw: unknown;
}

export interface ToolList {
  readonly tools: readonly ListedTool[];
  readonly setAside: readonly SetAsideTool[];
  /** Sentences about lists that were cut short and the like. */
  readonly warnings: readonly string[];
}

export interface ListedResource {
  readonly uri: string;
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly mimeType: string | null;
  readonly sizeBytes: number | null;
}

export interface ListedResourceTemplate {
  readonly uriTemplate: string;
  readonly name: string;
  readonly description: string | null;
  readonly mimeType: string | null;
}

export interface ListedPrompt {
  readonly name: string;
  readonly title: string | null;
  readonly description: string | null;
  readonly arguments: readonly { readonly name: string; readonly description: string | null; readonly required: boolean }[];
}

/** What a server offered when it was last read; kept, so that cards are true while it is idle. */
export interface ServerSnapshot {
  readonly readAt: number;
  readonly toolList: ToolList;
  readonly manifest: CapabilityManifest | null;
  /** Why there is no manifest, where a `capabilities` tool exists and could not be read. */
  readonly manifestProblem: string | null;
  readonly resources: readonly ListedResource[];
  readonly resourceTemplates: readonly ListedResourceTemplate[];
  readonly prompts: readonly ListedPrompt[];
}
