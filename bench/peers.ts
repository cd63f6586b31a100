import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { npmServer } from '../e2e/fixtures/real-servers';
import type { Benchmark, BenchmarkResult } from './benchmark';
import { findPercentile, round, timeMs } from './statistics';

const run = promisify(execFile);
const ROOT = join(import.meta.dirname, '..');
const FOLDER = join(import.meta.dirname, '.data', 'peers');
/** The last edition of the Inspector whose command line runs on Node 20, whatever its package says. */
const INSPECTOR = { name: '@modelcontextprotocol/inspector', version: '1.0.3' };
const ROUNDS = 10;
const SERVER = [process.execPath, npmServer('everything')] as const;

/** One command that starts a server, asks it and ends: the only work that a public peer and the command line both do. */
export const peerBenchmarks: readonly Benchmark[] = [
  definePeerBenchmark('peer-inspector-call', 'one call from a command, the server started for it, against the MCP Inspector', {
    ours: ['call', 'it', 'echo', '--args', '{"message":"hello"}', '--json'],
    theirs: ['--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'message=hello'],
  }),
  definePeerBenchmark('peer-inspector-tools', "a server's tools from a command, against the MCP Inspector", {
    ours: ['tools', 'it', '--json'],
    theirs: ['--method', 'tools/list'],
  }),
];

interface Words {
  readonly ours: readonly string[];
  readonly theirs: readonly string[];
}

function definePeerBenchmark(name: string, about: string, { ours, theirs }: Words): Benchmark {
  return {
    name,
    about: `${about} (needs the built command line; installs the peer once)`,
    run: async (note): Promise<BenchmarkResult> => {
      const inspector = await installInspector(note);
      const home = mkdtempSync(join(tmpdir(), 'signalbox-bench-'));
      try {
        const config = join(home, 'servers.json');
        writeFileSync(config, JSON.stringify({ mcpServers: { it: { command: SERVER[0], args: [SERVER[1]] } } }));
        const runOurs = () => run(process.execPath, [join(ROOT, 'bin', 'signalbox'), ...ours, '--config', config], { env: { ...process.env, SIGNALBOX_HOME: home } });
        const runTheirs = () => run(process.execPath, [inspector, ...SERVER, ...theirs]);
        await Promise.all([runOurs(), runTheirs()]);
        const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] };
        for (let each = 0; each < ROUNDS; each += 1) {
          times.ours.push(await timeMs(runOurs));
          times.theirs.push(await timeMs(runTheirs));
        }
        const [oursMs, theirsMs] = [findPercentile(times.ours, 0.5), findPercentile(times.theirs, 0.5)];
        const value = round(oursMs / theirsMs);
        const details = { peer: `${INSPECTOR.name} ${INSPECTOR.version}`, rounds: ROUNDS, p50Ms: { ours: Math.round(oursMs), theirs: Math.round(theirsMs) } };
        return { name, unit: "× the peer's time", value, aim: 1, holds: value <= 1, details };
      } finally {
        rmSync(home, { recursive: true, force: true });
      }
    },
  };
}

async function installInspector(note: (text: string) => void): Promise<string> {
  const program = join(FOLDER, 'node_modules', ...INSPECTOR.name.split('/'), 'cli', 'build', 'index.js');
  if (!existsSync(program)) {
    note(`installing ${INSPECTOR.name}, once`);
    mkdirSync(FOLDER, { recursive: true });
    writeFileSync(join(FOLDER, 'package.json'), '{"private":true}\n');
    await run('npm', ['install', '--no-audit', '--no-fund', '--engine-strict=false', `${INSPECTOR.name}@${INSPECTOR.version}`], { cwd: FOLDER });
  }
  return program;
}
