import type { ToolAnnotations } from './tool-list';
import type { Risk } from './tool-view';

/**
 * What a tool may do, in a word. A tool that says it changes things and not how is taken to destroy,
 * as the protocol's default for `destructiveHint` has it.
 */
export function riskOf(annotations: ToolAnnotations): Risk {
  const { readOnlyHint, destructiveHint } = annotations;
  if (readOnlyHint === true) return 'reads only';
  if (destructiveHint === true) return 'may destroy';
  if (destructiveHint === false) return 'changes things';
  return readOnlyHint === false ? 'may destroy' : 'not stated';
}
