import { toVisibleText } from '@/lib/core';

export interface Scan {
  readonly rules: { rule: string; tags: string[]; strings: { offset: number; identifier: string; data: string }[] }[];
  readonly total_matches: number;
  readonly truncated: boolean;
}

const LONGEST_DATA = 512;

/** Reads what `yara -g -s RULES /dev/stdin` prints: a line for each rule, then one for each matching string. */
export function readScan(output: string, most: number): Scan {
  const rules: Scan['rules'] = [];
  let total = 0;
  for (const line of output.split('\n')) {
    const string = /^0x([0-9a-f]+):(\$\w*): (.*)$/.exec(line);
    const current = rules.at(-1);
    if (string && current) {
      total += 1;
      const [, offset = '0', identifier = '', data = ''] = string;
      if (total <= most) current.strings.push({ offset: Number.parseInt(offset, 16), identifier, data: toVisibleText(data).slice(0, LONGEST_DATA) });
      continue;
    }
    const rule = /^(\w+) \[([^\]]*)\] \/dev\/stdin$/.exec(line);
    if (rule) {
      const [, name = '', tags = ''] = rule;
      rules.push({ rule: name, tags: tags === '' ? [] : tags.split(','), strings: [] });
    }
  }
  return { rules, total_matches: total, truncated: total > most };
}
