import { join } from 'node:path';

/** How a hand-made server of `e2e/servers` is started, in one of its modes: it costs little itself. */
export const rawServer = (mode: string): { readonly command: string; readonly args: readonly string[] } => ({
  command: process.execPath,
  args: [join(import.meta.dirname, '..', 'e2e', 'servers', 'raw-stdio.mjs'), mode],
});
