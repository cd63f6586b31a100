import 'server-only';
import { openRuntime, type Runtime } from './boot';
import { AppError } from './core';
import { readEnvironment } from './env';
import { FileServers } from './servers/node';

/** Raise it when what the slot holds changes its shape: a hot reload then replaces the old one. */
const VERSION = 2;

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
  const env = readEnvironment();
  const { configFile } = env;
  return openRuntime({ env, use: 'console', ...(configFile === null ? {} : { servers: () => requireFileServers(configFile) }) });
}

function requireFileServers(file: string): FileServers {
  const read = FileServers.read(file);
  if (read.ok) return read.value;
  const { message, line, column } = read.error;
  const place = [file, line, column].filter((part) => part !== null).join(':');
  throw new AppError({ code: 'bad_input', message: `${place}: ${message}` });
}
