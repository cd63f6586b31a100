import childProcess from 'node:child_process';
import { Console } from 'node:console';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { Writable } from 'node:stream';

/**
 * Standard output belongs to the protocol. Importing this module first of all sends whatever else prints
 * (console, `process.stdout`, writes to file descriptor 1, children that inherit it) to standard error;
 * only `protocolOutput()` still reaches standard output.
 */
const STDOUT = 1;
const STDERR = 2;

const real = process.stdout;
const writeReal = real.write.bind(real);

const output = new Writable({
  decodeStrings: false,
  write(chunk: string | Uint8Array, _encoding, done) {
    writeReal(chunk, (error) => done(error));
  },
});
real.on('error', (error: Error) => output.destroy(error));

/** The only way to standard output once the guard stands. */
export const protocolOutput = (): Writable => output;

real.write = process.stderr.write.bind(process.stderr);
Object.defineProperty(process, 'stdout', { configurable: true, enumerable: true, get: () => process.stderr });
// The console may have bound the stream before the guard stood.
globalThis.console = new Console({ stdout: process.stderr, stderr: process.stderr });

/** `stdio` of a child with our standard output replaced by our standard error. */
function divertStdio(stdio: unknown): unknown {
  if (stdio === 'inherit') return ['inherit', STDERR, 'inherit'];
  if (!Array.isArray(stdio)) return stdio;
  return stdio.map((entry: unknown, descriptor) =>
    entry === STDOUT || entry === real || (entry === 'inherit' && descriptor === STDOUT) ? STDERR : entry,
  );
}

/** Calls `target[name]` with its arguments rewritten by `divert`. */
function redirect(target: object, name: string, divert: (args: unknown[]) => unknown[]): void {
  const original: unknown = Reflect.get(target, name);
  if (typeof original !== 'function') return;
  Reflect.set(target, name, function (this: unknown, ...args: unknown[]): unknown {
    const result: unknown = Reflect.apply(original, this, divert(args));
    return result;
  });
}

const divertDescriptor = ([descriptor, ...rest]: unknown[]) => [descriptor === STDOUT ? STDERR : descriptor, ...rest];
const divertOptions = (args: unknown[]) =>
  args.map((argument) =>
    typeof argument === 'object' && argument !== null && 'stdio' in argument
      ? { ...argument, stdio: divertStdio(argument.stdio) }
      : argument,
  );

// `fs.WriteStream` on a pipe writes through these too.
for (const name of ['write', 'writeSync', 'writev', 'writevSync']) redirect(fs, name, divertDescriptor);
for (const name of ['spawn', 'spawnSync', 'fork', 'execSync', 'execFileSync']) redirect(childProcess, name, divertOptions);
syncBuiltinESMExports();
