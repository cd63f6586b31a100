import type { Stage } from '@/lib/pool';
import type { TransportKind } from '@/lib/servers';

const STDIO_STAGES: readonly Stage[] = ['config', 'resolve', 'spawn', 'negotiate', 'list', 'capabilities'];
const REMOTE_STAGES: readonly Stage[] = ['config', 'resolve', 'connect', 'http', 'auth', 'negotiate', 'list', 'capabilities'];

/** The stages of the test that apply to a transport, in order (product section 3). */
const stagesFor = (transport: TransportKind): readonly Stage[] =>
  transport === 'stdio' ? STDIO_STAGES : REMOTE_STAGES;

/** What a stage looks at, for its row on a page. */
export const STAGE_TITLES: Readonly<Record<Stage, string>> = {
  config: 'Configuration',
  resolve: 'Find the program or host',
  spawn: 'Start the program',
  connect: 'Connect',
  http: 'HTTP',
  auth: 'Sign-in',
  negotiate: 'Agree on a protocol version',
  list: 'List tools, resources, prompts',
  capabilities: 'Capability manifest',
};
