import { ok, type Result } from '@/lib/core';
import type { ConnectFailure } from '../..';
import type { OpenConnectionOptions } from '../connection';
import { dialChild } from './dial-child';
import { dialRemote, type Hiding } from './dial-remote';
import type { StageTracker } from './stages';
import type { WireTransport } from '../transports/transport';

/** Opens the transport of a server, not yet started; for a local one the child runs when this resolves. */
export function dial(
  options: OpenConnectionOptions,
  tracker: StageTracker,
  hiding: Hiding,
  isFallback: boolean,
): Promise<Result<WireTransport, ConnectFailure>> {
  const { transport } = options.resolved;
  return transport.kind === 'stdio' ? dialChild(transport, options, tracker, hiding.scrub) : Promise.resolve(ok(dialRemote(transport, options, tracker, hiding, isFallback)));
}
