import type { JSONRPCRequest, MessageExtraInfo } from '@modelcontextprotocol/client';
import { toVisibleText, type JsonObject } from '@/lib/core';
import type { RequestId } from '../transports/frame';
import { withoutNulls } from './without-nulls';

interface InboundOptions {
  /** Sends an answer of the console's own; one that cannot be sent any more is let go. */
  readonly answer: (answer: { readonly id: RequestId } & ({ readonly result: JsonObject } | { readonly error: { readonly code: number; readonly message: string } })) => void;
  /** Hands a request to whoever answers its kind. */
  readonly passOn: (request: JSONRPCRequest, extra: MessageExtraInfo | undefined) => void;
  readonly onRemark: (sentence: string) => void;
}

/** More than this that a server asks at once is refused: what nobody reads must not pile up. */
const MOST_AT_ONCE = 100;
const INVALID_PARAMS = -32_602;
const BUSY = -32_000;

/**
 * What a server asks for (product section 2.3). A ping is answered at once, whatever else goes on; the rest waits until
 * there is a client to answer it, a bounded number at a time, and nothing is left in silence.
 */
export class InboundRequests {
  private held: { readonly request: JSONRPCRequest; readonly extra: MessageExtraInfo | undefined }[] | null = [];
  private readonly open = new Set<RequestId>();
  private hasRemarked = false;

  constructor(private readonly options: InboundOptions) {}

  receive(asked: JSONRPCRequest, extra: MessageExtraInfo | undefined): void {
    const { id, method, params } = asked;
    if (method === 'ping') return this.options.answer({ id, result: {} });
    if (this.open.size >= MOST_AT_ONCE) {
      return this.options.answer({ id, error: { code: BUSY, message: `${MOST_AT_ONCE} requests are being answered already` } });
    }
    const request = params === undefined ? asked : { ...asked, params: withoutNulls(params) };
    this.open.add(id);
    if (this.held === null) this.options.passOn(request, extra);
    else this.held.push({ request, extra });
  }

  /** One that is no valid request: answered where it can be, and told. */
  refuse(id: RequestId | null, reason: string): void {
    if (id !== null) this.options.answer({ id, error: { code: INVALID_PARAMS, message: reason } });
  }

  /** The modern era has no requests of the server's, and allows no answer to one: it is told once. */
  ignore({ method }: JSONRPCRequest): void {
    if (this.hasRemarked) return;
    this.hasRemarked = true;
    this.options.onRemark(`it sent the request ${toVisibleText(method).slice(0, 100)}, which a server of the modern era may not send; such requests are ignored`);
  }

  /** There is a client that answers: what came before it is handed over. */
  release(): void {
    const held = this.held ?? [];
    this.held = null;
    for (const { request, extra } of held) this.options.passOn(request, extra);
  }

  /** Answered, or taken back by the server. */
  settle(id: RequestId): void {
    this.open.delete(id);
  }
}
