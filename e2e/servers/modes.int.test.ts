import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { HTTP_MODES } from './raw/http-modes.mjs';
import { OFFERS } from './raw/offers.mjs';
import { ASKING_MODES } from './raw/stdio-asks.mjs';
import { SSE_MODES } from './raw/sse-modes.mjs';
import { FRAMING_MODES } from './raw/stdio-framing.mjs';
import { HOSTILE_MODES } from './raw/stdio-hostile.mjs';
import { LIFE_MODES } from './raw/stdio-life.mjs';
import { WS_MODES } from './raw/ws-modes.mjs';

const README = readFileSync(new URL('./README.md', import.meta.url), 'utf8');

/** The README abbreviates families such as `sse…`. */
const isNamed = (mode: string): boolean =>
  README.includes(`\`${mode}\``) || [...README.matchAll(/`([a-zA-Z]+)…`/g)].some(([, family]) => family !== undefined && mode.startsWith(family));

describe('the hand-made servers', () => {
  it('have each mode in their README, and no mode twice', () => {
    const stdio = [FRAMING_MODES, HOSTILE_MODES, ASKING_MODES, LIFE_MODES, OFFERS].flatMap((modes) => Object.keys(modes));
    expect(new Set(stdio).size).toBe(stdio.length);
    expect([...stdio, ...[HTTP_MODES, WS_MODES, SSE_MODES].flatMap((modes) => Object.keys(modes))].filter((mode) => !isNamed(mode))).toEqual([]);
  });

  it('say which modes there are when asked for another', () => {
    const program = fileURLToPath(new URL('./raw-stdio.mjs', import.meta.url));
    const asked = spawnSync(process.execPath, [program, 'no-such-mode'], { encoding: 'utf8' });
    expect(asked.status).toBe(2);
    expect(asked.stderr).toContain('hangsOnList');
  });
});
