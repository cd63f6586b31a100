import 'server-only';
import { openRuntime, type Runtime } from './boot';
import { readEnvironment } from './env';

/** Raise it when what the slot holds changes its shape: a hot reload then replaces the old one. */
const VERSION = 1;

interface Slot {
  readonly version: number;
  readonly runtime: Promise<Runtime>;
}

declare global {
  /** Next loads a module more than once in a process; what must be single hangs on what is. */
  var signalboxRuntime: Slot | undefined;
}

/** The one runtime of the console's process; opened at its first use, which is `instrumentation.ts`. */
export function runtime(): Promise<Runtime> {
  const slot = globalThis.signalboxRuntime;
  if (slot?.version === VERSION) return slot.runtime;
  const fresh = { version: VERSION, runtime: replace(slot) };
  globalThis.signalboxRuntime = fresh;
  return fresh.runtime;
}

async function replace(old: Slot | undefined): Promise<Runtime> {
  await old?.runtime.then((former) => former.close());
  return openRuntime({ env: readEnvironment(), use: 'console' });
}
