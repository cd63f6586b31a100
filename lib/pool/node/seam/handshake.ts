import type { ConnectFailure } from '../..';
import { mendHandshake, namesModernRevision } from '../set-up/mend-handshake';
import type { WireResponse } from '../transports/frame';

/** What the wire showed of the handshake of one connection. */
export class Handshake {
  /** From the first request sent to the first answer, ms. */
  latencyMs: number | null = null;
  /** What was wrong with an answer to it. */
  fault: ConnectFailure | null = null;
  /** `initialize` was sent: the probe was given up, and an answer to it is late. */
  isProbeOver = false;
  /** `initialize` was answered with a result. */
  isInitialized = false;
  /** A modern server answered the probe after it was given up as silent. */
  sawLateDiscovery = false;

  private firstSentAt: number | null = null;

  beginInitialize(): void {
    this.isProbeOver = true;
    // What came of the probe is no matter any more.
    this.fault = null;
  }

  noteSent(): void {
    this.firstSentAt ??= performance.now();
  }

  noteAnswer(): void {
    if (this.firstSentAt !== null) this.latencyMs ??= Math.round(performance.now() - this.firstSentAt);
  }

  fail(failure: ConnectFailure): void {
    this.fault ??= failure;
  }

  /** An answer to one of the library's own requests, as the library can read it. */
  take(method: string, response: WireResponse): WireResponse {
    if (!('result' in response)) return response;
    if (method === 'initialize') this.isInitialized = true;
    if (method === 'server/discover') this.sawLateDiscovery ||= this.isProbeOver && namesModernRevision(response.result);
    return { ...response, result: mendHandshake(method, response.result) };
  }
}
