import { listInPlace, toDefinitionName, type NormalSchema, type SubSchema } from './normal-schema';

/**
 * The name of a definition that leads back to itself without taking up any of the value on the way
 * (`A: allOf [B]`, `B: allOf [A]`): whoever followed it would never come to an end. null where there is none.
 */
export function findEndlessReference(schema: NormalSchema): string | null {
  const definitions = schema.$defs ?? {};
  const finished = new Set<string>();
  const open = new Set<string>();

  const visit = (name: string): string | null => {
    if (finished.has(name)) return null;
    if (open.has(name)) return name;
    open.add(name);
    for (const next of listReached(definitions[name] ?? true)) {
      const endless = visit(next);
      if (endless !== null) return endless;
    }
    open.delete(name);
    finished.add(name);
    return null;
  };

  for (const name of Object.keys(definitions)) {
    const endless = visit(name);
    if (endless !== null) return endless;
  }
  return null;
}

/** The definitions that apply to the same value as the node does. */
function listReached(node: SubSchema): string[] {
  if (typeof node === 'boolean') return [];
  const own = node.$ref === undefined ? [] : [toDefinitionName(node.$ref)];
  return [...own, ...listInPlace(node).flatMap(listReached)];
}
