import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { openConnection } from '.';
import { never, resolvedStdio, textWith, watch } from './testing';

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

/** Runs a script under a name, with a clock of some seconds. */
async function run(name: string, script: string) {
  const folder = mkdtempSync(join(tmpdir(), 'signalbox-words-'));
  folders.push(folder);
  const program = join(folder, name);
  writeFileSync(program, `#!/bin/sh\n${script}\n`);
  chmodSync(program, 0o755);
  const opened = await openConnection(watch({ ...resolvedStdio(program, [], { limits: { connect_s: 3 }, era: 'legacy' }), secretValues: ['tr0ub4dor'] }).options, never);
  if (opened.ok) throw new Error('it was set up');
  return opened.error;
}

const ANSWER = '{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"s","version":"1"}}}';

describe('what a server printed on stderr', () => {
  it('is told with its silence, without secrets', async () => {
    expect(await run('server', 'echo "waits for tr0ub4dor at db:5432" >&2; exec sleep 60')).toMatchObject({
      code: 'never_answers', evidence: { stderr: ['waits for [redacted] at db:5432'] }, message: textWith('"waits for [redacted] at db:5432"'),
    });
  });

  it('is told without the end of its line too: a question, or a flood that it died in', async () => {
    expect(await run('asks', 'printf "Password: " >&2; exec sleep 60')).toMatchObject({ code: 'never_answers', message: textWith('"Password: "'.replace(' "', '"')) });
    const flood = await run('floods', 'echo "starting" >&2; printf "FATAL " >&2; head -c 8388608 /dev/zero | tr "\\0" x >&2; printf "disk full" >&2; exit 3');
    expect(flood).toMatchObject({ code: 'exited_at_once', message: textWith(/code 3.*…x+disk full"\.$/) });
    const [first, head, tail] = flood.evidence.stderr ?? [];
    expect([first, head?.slice(0, 8), tail?.slice(-9)]).toEqual(['starting', 'FATAL xx', 'disk full']);
    expect(JSON.stringify(flood).length).toBeLessThan(10_000);
  });

  it('is told where somebody it started holds its stderr open', async () => {
    expect(await run('leaves', 'sleep 3 & printf "no licence" >&2; exit 4')).toMatchObject({ code: 'exited_at_once', message: textWith('"no licence"') });
  });

  it('is told with a list that does not come', async () => {
    expect(await run('server', `read line; echo '${ANSWER}'; echo "connecting to the index" >&2; exec sleep 60`)).toMatchObject({
      code: 'list_hangs', evidence: { stderr: ['connecting to the index'] },
    });
  });

  it('says how far a package runner was with its installing', async () => {
    const failure = await run('npx', 'echo "resolving" >&2; echo "fetching 3 of 90" >&2; exec sleep 60');
    expect(failure).toMatchObject({ code: 'never_answers', evidence: { stderr: ['resolving', 'fetching 3 of 90'] } });
    expect(failure.message).toContain('it was still installing; the last line that it printed was "fetching 3 of 90"');
    expect(failure.remediation).toContain('connect_s');
  });
});
