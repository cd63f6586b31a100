import type { Stage } from '@/lib/pool';

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
