#!/usr/bin/env node
// node raw-stdio.mjs <mode>: a stdio server of hand-made bytes. The modes are listed in README.md.
import { OFFERS } from './raw/offers.mjs';
import { FRAMING_MODES } from './raw/stdio-framing.mjs';
import { LIFE_MODES } from './raw/stdio-life.mjs';
import { serveStdio } from './raw/stdio-wire.mjs';

const mode = process.argv[2] ?? 'ok';
const start = FRAMING_MODES[mode] ?? LIFE_MODES[mode];
const offer = OFFERS[mode];

if (start !== undefined) start();
else if (offer !== undefined) serveStdio(offer());
else {
  process.stderr.write(`raw-stdio has no mode '${mode}'. Modes: ${[FRAMING_MODES, LIFE_MODES, OFFERS].flatMap(Object.keys).join(', ')}\n`);
  process.exitCode = 2;
}
