import type { ServerLogLine } from '@/lib/live';

/** As many as the console keeps of each server. */
export const MOST_LINES = 2000;

/** The lines with one more, each once and in order, however a reading and the live stream overlap. */
export function addLine(lines: readonly ServerLogLine[], line: ServerLogLine): readonly ServerLogLine[] {
  const last = lines.at(-1);
  if (last === undefined || line.number > last.number) return [...lines, line].slice(-MOST_LINES);
  if (lines.some((each) => each.number === line.number)) return lines;
  return [...lines, line].sort((a, b) => a.number - b.number).slice(-MOST_LINES);
}
