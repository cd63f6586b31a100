import type { SchemaUtilsType } from '@rjsf/utils';
import { isObject } from '@/lib/core';
import type { FormSchema } from './form-schema';

type SchemaUtils = SchemaUtilsType<unknown, FormSchema>;

/** The branch that a value fits, else the one of its type, else the first. */
export function findBranch(branches: readonly FormSchema[], value: unknown, utils: SchemaUtils): number {
  if (value === undefined) return 0;
  const root = utils.getRootSchema();
  const fitting = branches.findIndex((branch) => utils.getValidator().isValid(branch, value, root));
  if (fitting >= 0) return fitting;
  const similar = branches.findIndex((branch) => hasTypeOf(utils.retrieveSchema(branch, value), value));
  return Math.max(similar, 0);
}

function hasTypeOf(branch: FormSchema, value: unknown): boolean {
  if (Array.isArray(value)) return branch.type === 'array';
  if (isObject(value)) {
    const constants = listConstants(branch);
    return branch.type === 'object' && constants.every(([name, constant]) => value[name] === undefined || value[name] === constant);
  }
  return branch.type === typeof value || (branch.type === 'integer' && typeof value === 'number');
}

/**
 * The value to go on with in a newly chosen branch: fields of the same name stay, those of the branch that was left go,
 * and a required field that can have one value only gets it.
 */
export function dataForBranch(branch: FormSchema, union: FormSchema, value: unknown, utils: SchemaUtils): unknown {
  const target = utils.retrieveSchema(branch, undefined);
  if (target.type !== 'object') return undefined;
  const names = new Set([...Object.keys(target.properties ?? {}), ...Object.keys(union.properties ?? {})]);
  const kept = isObject(value) ? Object.entries(value).filter(([name]) => names.has(name)) : [];
  return { ...Object.fromEntries(kept), ...Object.fromEntries(listConstants(target)) };
}

function listConstants(branch: FormSchema): (readonly [string, unknown])[] {
  return (branch.required ?? []).flatMap((name) => {
    const member = branch.properties?.[name];
    return isObject(member) && Array.isArray(member['enum']) && member['enum'].length === 1 ? [[name, member['enum'][0]] as const] : [];
  });
}
