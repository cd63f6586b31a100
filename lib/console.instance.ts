import 'server-only';
import { runtime } from './boot.instance';
import { AppError } from './core';
import { toConsoleOrigin } from './console-origin';
import type { Runtime } from './boot';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** A terminal sends its signal to every process of the group, and a parent may pass it on: that is one signal. */
const SAME_SIGNAL_MS = 500;

/** Opens the runtime as the process starts, says where to go, and drains it when the process is to end. */
export async function startConsole(): Promise<void> {
  try {
    drainOnSignals();
    const opened = await runtime();
    await greet(opened);
  } catch (error) {
    printFailure(error);
    process.exit(1);
  }
}

/** Straight to the terminal and to no log: the set-up link is a secret until it is used. */
async function greet({ accounts, env }: Runtime): Promise<void> {
  if (env.adminEmail !== null && env.adminPassword !== null) {
    await accounts.ensureFirstAdmin({ email: env.adminEmail, password: env.adminPassword });
  }
  const lines = accounts.hasAnyone()
    ? [`Signalbox is at ${toConsoleOrigin(env)}`]
    : ['Nobody can sign in yet. Open this link, which works once, to make the first admin:', `  ${accounts.renewSetupLink()}`];
  process.stderr.write(`\n${lines.join('\n')}\n\n`);
}

function printFailure(error: unknown): void {
  const lines = error instanceof AppError ? [error.message, error.remedy] : [error instanceof Error ? (error.stack ?? error.message) : String(error)];
  process.stderr.write(`Signalbox could not start.\n${lines.filter((line) => line !== null).join('\n')}\n`);
}

function drainOnSignals(): void {
  let firstAt: number | null = null;
  for (const signal of SIGNALS) {
    process.on(signal, () => {
      const now = performance.now();
      if (firstAt !== null && now - firstAt > SAME_SIGNAL_MS) process.exit(1);
      if (firstAt !== null) return;
      firstAt = now;
      void drain();
    });
  }
}

async function drain(): Promise<void> {
  const slot = globalThis.signalboxRuntime;
  try {
    const opened = await slot?.runtime;
    await opened?.close();
    process.exit(0);
  } catch (error) {
    printFailure(error);
    process.exit(1);
  }
}
