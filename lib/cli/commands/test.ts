import { toBrokenCheckServer } from '@/lib/testing-connections';
import { EXIT, type ExitCode } from '../exit-codes';
import { followProgress } from '../progress';
import { requireKnown, withSession, type CommonOptions } from '../session';
import type { Terminal } from '../terminal';
import { testServer } from './check';

/** The staged connection test of one server; a disabled one is tested too, since someone asks for it. */
export async function test(key: string, options: CommonOptions, terminal: Terminal): Promise<ExitCode> {
  return withSession(options, terminal, async (session) => {
    const { record, broken } = requireKnown(session, key);
    let progress: string | null = null;
    const stop = followProgress(key, () => progress, terminal);
    const testing = record === null ? toBrokenCheckServer(broken.key, broken.errors) : testServer(session, record, { onProgress: (text) => (progress = text) });
    const server = await Promise.resolve(testing).finally(stop);
    if (options.json) terminal.document(server);
    else {
      for (const stage of server.stages) terminal.line(`${stage.ok ? '●' : '✗'} ${stage.stage.padEnd(12)} ${stage.ms} ms  ${stage.detail}`);
      for (const warning of server.warnings) terminal.line(`▲ ${warning}`);
      if (server.error !== null) {
        terminal.line(`✗ ${server.error.message}`);
        if (server.error.remediation !== null) terminal.line(`  Do this: ${server.error.remediation}`);
        for (const text of server.error.evidence.stderr ?? []) terminal.line(`  stderr: ${text}`);
      } else terminal.line(`● ${server.key} works: ${server.tool_count} tools`);
    }
    return server.ok === true ? EXIT.ok : EXIT.failed;
  });
}
