interface JsonBounds {
  readonly depth: number;
  readonly nodes: number;
}

/**
 * Whether a JSON value keeps within bounds of nesting and number of values; walks without recursion and stops
 * at the first excess, so that a hostile value costs no more than the bounds.
 */
export function isWithin(value: unknown, bounds: JsonBounds): boolean {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 0 }];
  let nodes = 0;
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.depth > bounds.depth || ++nodes > bounds.nodes) return false;
    if (typeof next.value !== 'object' || next.value === null) continue;
    const depth = next.depth + 1;
    for (const member of Object.values(next.value)) {
      if (nodes + open.length > bounds.nodes) return false;
      open.push({ value: member, depth });
    }
  }
  return true;
}
