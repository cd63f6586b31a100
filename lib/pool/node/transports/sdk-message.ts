import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import type { WireMessage } from './frame';

/** A message that our own reader checked, in the type of the library, whose optional members are narrower. */
export function toSdkMessage(message: WireMessage): JSONRPCMessage {
  // The library's own parser would copy, and refuse, what the seam mends or takes; ours has checked the envelope.
  return message;
}
