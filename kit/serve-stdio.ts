import { protocolOutput } from './guard-stdout';

import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

import { toSdkServer, type Served } from './sdk-server';

export interface ServingHandle {
  close(): Promise<void>;
}

/** Serves over stdin and stdout, whichever era the host opens with, until the host closes stdin. */
export function openStdio(served: Served & { onClosed(): void }): ServingHandle {
  const transport = new StdioServerTransport(process.stdin, protocolOutput());
  const handle = serveStdio(() => toSdkServer(served), {
    transport,
    onerror: (error) => process.stderr.write(`${served.name}: ${error.message}\n`),
  });
  const closeInstance = transport.onclose;
  transport.onclose = () => {
    closeInstance?.();
    served.onClosed();
  };
  return handle;
}
