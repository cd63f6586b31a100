import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { isObject, type JsonObject } from '@/lib/core';

export type Message = Readonly<Record<string, unknown>>;

/** A server started as a host starts it, spoken to in bare JSON-RPC; nothing of the SDK between. */
export interface RawHost {
  /** Sends a request and waits for the message with its id. */
  request(method: string, params?: JsonObject, id?: number): Promise<Message>;
  notify(method: string, params?: JsonObject): void;
  /** Closes stdin and answers what the process left: its exit code and every line of both outputs. */
  end(): Promise<{ exitCode: number | null; stdout: readonly string[]; stderr: string }>;
}

/** @param args what follows `node`; @param environment the whole environment of the server */
export function startRaw(args: readonly string[], environment: Readonly<Record<string, string>>): RawHost {
  const child = spawn(process.execPath, args, { stdio: 'pipe', env: { NODE_ENV: 'test', ...environment } });
  const stdout: string[] = [];
  let stderr = '';
  const waiting = new Map<number, (message: Message) => void>();
  const exited = new Promise<number | null>((resolve) => child.on('close', resolve));
  createInterface({ input: child.stdout }).on('line', (line) => {
    stdout.push(line);
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      return;
    }
    if (isObject(message) && typeof message.id === 'number') waiting.get(message.id)?.(message);
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
  const write = (message: Message) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  let nextId = 0;
  return {
    request: (method, params, id = (nextId += 1)) =>
      new Promise((resolve, reject) => {
        waiting.set(id, resolve);
        void exited.then((code) => reject(new Error(`the server ended with ${code} before it answered ${method}: ${stderr}`)));
        write({ id, method, ...(params && { params }) });
      }),
    notify: (method, params) => void write({ method, ...(params && { params }) }),
    async end() {
      child.stdin.end();
      return { exitCode: await exited, stdout, stderr };
    },
  };
}
