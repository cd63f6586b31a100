/** `84 ms`, `3.1 s`, `20 s`, `2 min 5 s`, `1 h 4 min`; a part that is nothing is left out. */
export function formatDuration(durationMs: number): string {
  if (Math.round(durationMs) < 1000) return `${Math.round(durationMs)} ms`;
  const tenths = Math.round(durationMs / 100);
  if (tenths < 600) return `${tenths / 10} s`;
  const seconds = Math.floor(durationMs / 1000);
  // Rounded up to a minute that is not full yet.
  if (seconds < 60) return '1 min';
  const minutes = Math.floor(seconds / 60);
  return minutes < 60 ? inTwoParts(minutes, 'min', seconds % 60, 's') : inTwoParts(Math.floor(minutes / 60), 'h', minutes % 60, 'min');
}

const inTwoParts = (large: number, largeUnit: string, small: number, smallUnit: string): string =>
  small === 0 ? `${large} ${largeUnit}` : `${large} ${largeUnit} ${small} ${smallUnit}`;
