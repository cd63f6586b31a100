const LONGEST_PATTERN = 200;

/**
 * Whether a stranger's pattern may run on the page: it compiles, is short, has no backreference, no repetition of a
 * group that itself repeats or offers alternatives (the shapes that take exponential time), and at most three
 * repetitions without an upper bound. Others are left to the server to check.
 */
export function isSafePattern(pattern: string): boolean {
  if (pattern.length > LONGEST_PATTERN) return false;
  try {
    new RegExp(pattern, 'u');
  } catch {
    return false;
  }
  const bare = pattern.replace(/\\[1-9]|\\k</g, '\u0000').replace(/\\./g, 'x').replace(/\[(?:[^\]])*\]/g, 'x');
  if (bare.includes('\u0000') || /\(\?<?[=!]/.test(bare)) return false;
  return !hasRepeatedChoice(bare) && (bare.match(/[*+]|\{\d+,\}/g) ?? []).length <= 3;
}

function hasRepeatedChoice(bare: string): boolean {
  const groups: boolean[] = [];
  for (let at = 0; at < bare.length; at++) {
    const letter = bare[at];
    if (letter === '(') groups.push(false);
    else if (letter === ')') {
      const choosy = groups.pop() ?? false;
      const repeats = /^(?:[*+]|\{\d+,?\d*\})/.test(bare.slice(at + 1));
      if (choosy && repeats) return true;
      if ((choosy || repeats) && groups.length > 0) groups[groups.length - 1] = true;
    } else if (letter !== undefined && '*+|{?'.includes(letter) && !(letter === '?' && bare[at - 1] === '(') && groups.length > 0) {
      groups[groups.length - 1] = true;
    }
  }
  return false;
}
