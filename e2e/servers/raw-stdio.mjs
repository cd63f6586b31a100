#!/usr/bin/env node
// node raw-stdio.mjs <mode>: a stdio server of hand-made bytes. The modes are listed in README.md.
import { OFFERS } from './raw/offers.mjs';
import { ASKING_MODES } from './raw/stdio-asks.mjs';
import { FRAMING_MODES } from './raw/stdio-framing.mjs';
import { HOSTILE_MODES } from './raw/stdio-hostile.mjs';
import { LIFE_MODES } from './raw/stdio-life.mjs';
import { serveStdio } from './raw/stdio-wire.mjs';

const mode = process.argv[2] ?? 'ok';
const modes = { ...FRAMING_MODES, ...HOSTILE_MODES, ...ASKING_MODES, ...LIFE_MODES };
const start = modes[mode];
const offer = OFFERS[mode];

if (start !== undefined) start();
else if (offer !== undefined) serveStdio(offer());
else {
  process.stderr.write(`raw-stdio has no mode '${mode}'. Modes: ${[modes, OFFERS].flatMap(Object.keys).join(', ')}\n`);
  process.exitCode = 2;
}
