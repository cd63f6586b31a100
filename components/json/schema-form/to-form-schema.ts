import { assertNever, err, ok, type Result } from '@/lib/core';
import { toDefinitionName, type NormalSchema, type SubSchema } from '../schema';
import type { FormPlan, FormSchema } from './form-schema';
import { inferTypes, isNullOnly, mergeAll, withoutKeywords } from './merge-schemas';
import { listRules } from './list-rules';

/** As many fields as a person could look through; references that fan out reach it before they cost anything. */
const MOST_FIELDS = 1_500;

/**
 * Plans a form from a normal schema. References are inlined, save where they recur; `allOf` is merged; a union with
 * null becomes a field that can be null; several types become a choice. Its error is a sentence.
 */
export function toFormSchema(schema: NormalSchema): Result<FormPlan, string> {
  const planner = new Planner(schema.$defs ?? {});
  const root = planner.plan(schema, []);
  if (planner.fields > MOST_FIELDS) return err(`The schema unfolds into more than ${MOST_FIELDS} fields.`);
  if (root.type !== 'object' && root.anyOf === undefined) return err('The schema does not describe an object with named fields.');
  const definitions = planner.planDefinitions();
  if (planner.fields > MOST_FIELDS) return err(`The schema unfolds into more than ${MOST_FIELDS} fields.`);
  const object: FormSchema = { ...root, type: 'object' };
  return ok({ schema: definitions === undefined ? object : { ...object, $defs: definitions }, notes: [...planner.notes] });
}

class Planner {
  fields = 0;
  readonly notes = new Set<string>();
  private readonly recurring = new Set<string>();

  constructor(private readonly definitions: Readonly<Record<string, SubSchema>>) {}

  planDefinitions(): Record<string, FormSchema> | undefined {
    const planned: Record<string, FormSchema> = {};
    for (let name = this.findUnplanned(planned); name !== undefined; name = this.findUnplanned(planned)) {
      planned[name] = this.plan(this.definitions[name] ?? true, [name]);
    }
    return this.recurring.size === 0 ? undefined : planned;
  }

  private findUnplanned(planned: Readonly<Record<string, FormSchema>>): string | undefined {
    return [...this.recurring].find((name) => !Object.hasOwn(planned, name));
  }

  /** @param trail the definitions that this node lies within */
  plan(sub: SubSchema, trail: readonly string[]): FormSchema {
    if (++this.fields > MOST_FIELDS) return {};
    if (sub === true) return { 'x-any': true };
    if (sub === false) return { 'x-any': true, description: 'Nothing may stand here.' };
    const recurring = this.findRecurrence(sub, trail);
    if (recurring !== undefined) {
      this.recurring.add(recurring);
      return { ...toWords(sub), $ref: `#/$defs/${recurring}` };
    }
    const { node, trail: within } = this.unfold(sub, trail);
    const { types, nullable } = inferTypes(node);
    const words: FormSchema = { ...toWords(node), ...(nullable ? { 'x-nullable': true } : {}) };
    if (node.enum !== undefined) return { ...words, type: 'string', enum: toEnum(node.enum) };
    const union = this.planUnion(node, within);
    if (union !== undefined) return { ...union, ...words, ...(union['x-nullable'] === true ? { 'x-nullable': true } : {}) };
    if (types.length > 1) {
      return { ...words, anyOf: types.map((type) => ({ ...this.planTyped({ ...withoutKeywords(node, ['title']), type: [type] }, within), title: type })) };
    }
    return { ...this.planTyped(node, within), ...words };
  }

  private findRecurrence(sub: NormalSchema, trail: readonly string[]): string | undefined {
    const name = sub.$ref === undefined ? undefined : toDefinitionName(sub.$ref);
    return name !== undefined && trail.includes(name) ? name : undefined;
  }

  /** Follows the reference and merges `allOf`, so that what applies to one value is one node. */
  private unfold(sub: NormalSchema, trail: readonly string[]): { node: NormalSchema; trail: readonly string[] } {
    let within = trail;
    const parts: NormalSchema[] = [withoutKeywords(sub, ['$ref', 'allOf', '$defs'])];
    const open: SubSchema[] = [...(sub.allOf ?? [])];
    if (sub.$ref !== undefined) {
      within = [...within, toDefinitionName(sub.$ref)];
      open.unshift(this.definitions[toDefinitionName(sub.$ref)] ?? true);
    }
    for (let next = open.shift(); next !== undefined && ++this.fields <= MOST_FIELDS; next = open.shift()) {
      if (typeof next === 'boolean') continue;
      parts.push(withoutKeywords(next, ['$ref', 'allOf', '$defs']));
      open.push(...(next.allOf ?? []));
      if (next.$ref === undefined) continue;
      const name = toDefinitionName(next.$ref);
      within = [...within, name];
      open.push(this.definitions[name] ?? true);
    }
    const node = mergeAll(parts, (note) => this.notes.add(note));
    if (node.if !== undefined || node.not !== undefined || node.dependentSchemas !== undefined || node.dependentRequired !== undefined) {
      this.notes.add('Some fields depend on others here; the form shows them all and checks the whole.');
    }
    return { node, trail: within };
  }

  private planUnion(node: NormalSchema, trail: readonly string[]): FormSchema | undefined {
    const branches = node.anyOf ?? node.oneOf;
    if (branches === undefined) return undefined;
    if (node.anyOf !== undefined && node.oneOf !== undefined) this.notes.add('One of two unions is shown only in the raw JSON.');
    const base = withoutKeywords(node, ['anyOf', 'oneOf']);
    const valued = branches.filter((branch) => !this.isNull(branch));
    const nullable = valued.length < branches.length;
    const marks = nullable ? { 'x-nullable': true } : {};
    const constants = valued.map((branch) => readConstant(branch));
    if (valued.length > 0 && constants.every((constant) => constant !== undefined)) {
      return { type: 'string', enum: toEnum(constants.map(({ value }) => value)), 'x-enum-labels': constants.map(({ label }) => label), ...marks };
    }
    const [only] = valued;
    if (valued.length === 0) return { type: 'string', enum: toEnum([null]) };
    if (valued.length === 1 && only !== undefined) {
      return { ...this.plan({ ...base, allOf: [only] }, trail), ...marks };
    }
    const shared = base.properties === undefined ? {} : this.planTyped({ ...base, type: ['object'] }, trail);
    const options = valued.map((branch, index): FormSchema => {
      const planned = this.plan(inheritType(branch, base), trail);
      return { ...planned, title: planned.title ?? nameBranch(planned, index) };
    });
    return { ...shared, anyOf: options, ...marks };
  }

  private isNull(branch: SubSchema): boolean {
    if (typeof branch === 'boolean') return false;
    return isNullOnly(branch.$ref === undefined ? branch : (this.definitions[toDefinitionName(branch.$ref)] ?? true));
  }

  private planTyped(node: NormalSchema, trail: readonly string[]): FormSchema {
    const [type] = inferTypes(node).types;
    switch (type) {
      case 'object':
        return this.planObject(node, trail);
      case 'array':
        return this.planArray(node, trail);
      case 'null':
        return { type: 'string', enum: toEnum([null]) };
      case undefined:
        return { 'x-any': true };
      case 'string':
      case 'number':
      case 'integer':
      case 'boolean':
        return { type };
      default:
        return assertNever(type);
    }
  }

  private planObject(node: NormalSchema, trail: readonly string[]): FormSchema {
    const properties = Object.entries(node.properties ?? {}).map(([name, member]) => [name, this.plan(member, trail)] as const);
    const further = node.additionalProperties;
    const open = further === undefined && node.properties === undefined && node.anyOf === undefined && node.oneOf === undefined;
    const takesMore = open || (further !== undefined && further !== false);
    if (node.patternProperties !== undefined) this.notes.add('Fields whose names follow a pattern are added in the raw JSON.');
    return {
      type: 'object',
      properties: Object.fromEntries(properties),
      ...(node.required === undefined ? {} : { required: node.required }),
      ...(takesMore ? { additionalProperties: this.plan(further ?? true, trail) } : {}),
    };
  }

  private planArray(node: NormalSchema, trail: readonly string[]): FormSchema {
    if (node.prefixItems !== undefined) return { 'x-any': true };
    const items = this.plan(node.items ?? true, trail);
    // The one default in a form schema: an added text is empty text, not nothing.
    return { type: 'array', items: items.type === 'string' && items.enum === undefined ? { ...items, default: '' } : items };
  }
}

function toWords(node: NormalSchema): FormSchema {
  const rules = listRules(node);
  return {
    ...(node.title === undefined ? {} : { title: node.title }),
    ...(node.description === undefined ? {} : { description: node.description }),
    ...(node.default === undefined ? {} : { 'x-default': JSON.stringify(node.default) }),
    ...(node.format === undefined ? {} : { 'x-format': node.format }),
    ...(rules.length === 0 ? {} : { 'x-rules': rules }),
  };
}

/** The library's types know enums of JSON values alone; a stranger's enum came out of JSON. */
const toEnum = (values: readonly unknown[]): FormSchema['enum'] => JSON.parse(JSON.stringify(values)) as FormSchema['enum'];

function readConstant(branch: SubSchema): { value: unknown; label: string } | undefined {
  if (typeof branch === 'boolean' || branch.enum?.length !== 1 || branch.properties !== undefined) return undefined;
  const [value] = branch.enum;
  return { value, label: branch.title ?? toLabel(value) };
}

const toLabel = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value));

const inheritType = (branch: SubSchema, base: NormalSchema): SubSchema =>
  typeof branch === 'boolean' || branch.type !== undefined || branch.$ref !== undefined || base.type === undefined
    ? branch
    : { ...branch, type: base.type };

/** A branch without a title is known by the constant that marks it, else by its type. */
function nameBranch(branch: FormSchema, index: number): string {
  for (const [name, member] of Object.entries(branch.properties ?? {})) {
    if (typeof member !== 'boolean' && member.enum?.length === 1) return `${name}: ${toLabel(member.enum[0])}`;
  }
  if (branch.enum !== undefined) return 'one of a list';
  const required = branch.type === 'object' ? (branch.required ?? []) : [];
  if (required.length > 0) return `with ${required.join(', ')}`;
  return typeof branch.type === 'string' ? branch.type : `form ${index + 1}`;
}
