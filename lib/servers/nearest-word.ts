/** The word that was probably meant: at most two letters away; undefined where none is near. */
export function findNearestWord(written: string, words: Iterable<string>): string | undefined {
  let nearest: { readonly word: string; readonly distance: number } | undefined;
  for (const word of words) {
    const distance = distanceBetween(written.toLowerCase(), word);
    if (distance <= 2 && distance < word.length && (!nearest || distance < nearest.distance)) nearest = { word, distance };
  }
  return nearest?.word;
}

/** Letters to add, take out or change (Levenshtein); words longer than 40 letters are never near. */
function distanceBetween(a: string, b: string): number {
  if (a.length > 40) return Infinity;
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? Infinity;
}
