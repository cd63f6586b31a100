export { toPointer } from './json-pointer';
export type { Misfit } from './misfits';
export { normaliseSchema, type NormalisedSchema } from './normalise-schema';
export { toDefinitionName, type JsonType, type NormalSchema, type SubSchema } from './normal-schema';
export { describeVerdict, validateJson, type Verdict } from './validate-json';
