import type { NormalSchema } from '../schema';

/** What a value must keep to, in few words each, for a person who fills it in. */
export function listRules(node: NormalSchema): string[] {
  const rules: (string | null)[] = [
    span(node.minimum, node.maximum, ''),
    node.exclusiveMinimum === undefined ? null : `more than ${node.exclusiveMinimum}`,
    node.exclusiveMaximum === undefined ? null : `less than ${node.exclusiveMaximum}`,
    node.multipleOf === undefined ? null : `a multiple of ${node.multipleOf}`,
    node.minLength === 1 && node.maxLength === undefined ? 'not empty' : span(node.minLength, node.maxLength, ' characters'),
    span(node.minItems, node.maxItems, ' items'),
    node.uniqueItems === true ? 'each item once' : null,
    node.pattern === undefined ? null : `matches ${node.pattern}`,
    node.format === undefined ? null : node.format,
  ];
  return rules.filter((rule) => rule !== null);
}

function span(least: number | undefined, most: number | undefined, unit: string): string | null {
  if (least !== undefined && most !== undefined) return `${least} to ${most}${unit}`;
  if (least !== undefined) return `at least ${least}${unit}`;
  return most === undefined ? null : `at most ${most}${unit}`;
}
