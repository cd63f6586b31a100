export const JSON_TYPES = ['object', 'array', 'string', 'number', 'integer', 'boolean', 'null'] as const;
export type JsonType = (typeof JSON_TYPES)[number];

export type SubSchema = NormalSchema | boolean;

/**
 * A stranger's schema made safe to work with: only keywords that are understood, each of the right shape;
 * types always a list, `const` an `enum` of one, draft-7 tuples and dependencies in the words of 2020-12; every
 * `$ref` leads to a member of the root's `$defs`.
 */
export type NormalSchema = {
  $ref?: string;
  $defs?: Record<string, SubSchema>;
  title?: string;
  description?: string;
  default?: unknown;
  format?: string;
  type?: JsonType[];
  enum?: unknown[];
  properties?: Record<string, SubSchema>;
  patternProperties?: Record<string, SubSchema>;
  additionalProperties?: SubSchema;
  unevaluatedProperties?: SubSchema;
  propertyNames?: SubSchema;
  dependentSchemas?: Record<string, SubSchema>;
  dependentRequired?: Record<string, string[]>;
  required?: string[];
  minProperties?: number;
  maxProperties?: number;
  items?: SubSchema;
  prefixItems?: SubSchema[];
  unevaluatedItems?: SubSchema;
  contains?: SubSchema;
  minContains?: number;
  maxContains?: number;
  minItems?: number;
  maxItems?: number;
  uniqueItems?: boolean;
  allOf?: SubSchema[];
  anyOf?: SubSchema[];
  oneOf?: SubSchema[];
  not?: SubSchema;
  if?: SubSchema;
  then?: SubSchema;
  else?: SubSchema;
  minimum?: number;
  maximum?: number;
  exclusiveMinimum?: number;
  exclusiveMaximum?: number;
  multipleOf?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
};

export const SINGLE_KEYWORDS = [
  'additionalProperties', 'unevaluatedProperties', 'propertyNames', 'items', 'unevaluatedItems', 'contains', 'not', 'if', 'then', 'else',
] as const;
export const LIST_KEYWORDS = ['allOf', 'anyOf', 'oneOf', 'prefixItems'] as const;
export const MAP_KEYWORDS = ['properties', 'dependentSchemas', 'patternProperties'] as const;
export const NUMBER_KEYWORDS = [
  'minProperties', 'maxProperties', 'minContains', 'maxContains', 'minItems', 'maxItems', 'minimum', 'maximum',
  'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength',
] as const;

/** The name of a definition that a `$ref` of a normal schema leads to. */
export const toDefinitionName = (ref: string): string => ref.slice('#/$defs/'.length);

/** The keyword members of a node that apply to the same value, not to a part of it. */
export function listInPlace(node: NormalSchema): SubSchema[] {
  return [
    ...(node.allOf ?? []), ...(node.anyOf ?? []), ...(node.oneOf ?? []),
    ...[node.not, node.if, node.then, node.else].filter((member) => member !== undefined),
    ...Object.values(node.dependentSchemas ?? {}),
  ];
}
