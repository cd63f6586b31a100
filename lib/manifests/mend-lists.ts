import type { ListedPrompt, ListedResource, ListedResourceTemplate, ToolList } from './tool-list';

/** Takes the entries of every page together, as an array or as `{tools: […]}`. */
export declare function mendToolList(raw: unknown): ToolList;
export interface Mended<Item> {
  readonly items: readonly Item[];
  /** A sentence for each entry that was left out. */
  readonly warnings: readonly string[];
}
export declare function mendResources(raw: unknown): Mended<ListedResource>;
export declare function mendResourceTemplates(raw: unknown): Mended<ListedResourceTemplate>;
export declare function mendPrompts(raw: unknown): Mended<ListedPrompt>;
