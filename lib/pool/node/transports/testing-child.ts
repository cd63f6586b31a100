import { EventEmitter } from 'node:events';
import { PassThrough, Writable } from 'node:stream';
import { systemClock } from '@/lib/core';
import type { StartedChild } from '../processes/spawn';
import { StdioTransport } from './stdio';
import type { WireListener } from './transport';

/** A number that no process group has. */
const NO_GROUP = 2_000_000_000;

/** For tests: a child that is no process. What it is sent goes to `onLine`; what it says is written to `stdout`. */
export function makeFakeChild(onLine: (line: string) => void = () => undefined) {
  const stdout = new PassThrough();
  const stderr = new PassThrough();
  let held = '';
  const stdin = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      const lines = `${held}${chunk.toString('utf8')}`.split('\n');
      held = lines.pop() ?? '';
      done();
      for (const line of lines) onLine(line);
    },
  });
  const process = Object.assign(new EventEmitter(), { stdin, stdout, stderr, exitCode: 0, signalCode: null });
  // As much of a child process as a transport uses.
  const child = { process, pid: NO_GROUP, marker: 'none' } as unknown as StartedChild;
  const open = (limitBytes: number) =>
    new StdioTransport({
      server: 'fake', child, limitBytes, clock: systemClock, onLine: () => undefined, scrub: (text) => text,
      records: { add: () => undefined, remove: () => undefined, list: () => [] },
    });
  /** Writes bytes in pieces that end at these places, and waits until they were read. */
  const say = async (bytes: Buffer, cuts: readonly number[] = []) => {
    const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
    let from = 0;
    for (const to of [...places, bytes.length]) {
      if (to > from) stdout.write(bytes.subarray(from, to));
      from = to;
    }
    while (stdout.readableLength > 0 && stdout.readableFlowing === true) await new Promise((resolve) => setImmediate(resolve));
    await new Promise((resolve) => setImmediate(resolve));
  };
  const exit = () => {
    stdout.end();
    process.emit('exit', 0, null);
    process.emit('close');
  };
  return { open, say, exit };
}

interface Heard {
  readonly stray: string[];
  readonly unusable: (string | number | null)[];
  readonly tooLarge: (string | number | null)[];
}

/** A listener for which these requests wait. */
export function makeListener(waiting: Readonly<Record<string, string>>): { readonly listener: WireListener; readonly heard: Heard } {
  const heard: Heard = { stray: [], unusable: [], tooLarge: [] };
  const listener: WireListener = {
    findWaiting: (id) => waiting[String(id)],
    isBusy: () => Object.keys(waiting).length > 0,
    onUnusable: (id) => heard.unusable.push(id),
    onInvalidRequest: () => undefined,
    onTooLarge: (id) => heard.tooLarge.push(id),
    onStray: (text) => heard.stray.push(text),
    onForeignAnswer: () => undefined,
    onStreamEnded: () => undefined,
    onRefused: () => undefined,
    onRemark: () => undefined,
    onWire: () => undefined,
  };
  return { listener, heard };
}
