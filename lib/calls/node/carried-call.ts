import type { Principal } from '@/lib/auth';
import type { CallId } from '@/lib/core';
import type { DisclosedEntry } from '@/lib/files';
import type { MakePlumbingCall, PlumbingCall } from '@/lib/files/node';
import type { CallRequest } from '..';
import type { CallRecord } from './call-record';

/** A call that the console makes for another: it belongs to that one's admission, and its approval was that one's. */
interface PlumbingRide extends PlumbingCall {
  readonly admittedAs: CallId;
}

/** A call on its way, with the record it leaves. */
export interface CarriedCall {
  readonly request: CallRequest;
  readonly principal: Principal;
  readonly record: CallRecord;
  readonly entry: DisclosedEntry;
  /** Null for any call but those of plumbing. */
  readonly plumbing: PlumbingRide | null;
  readonly makePlumbingCall: MakePlumbingCall;
  /** Ends the call; its reason is a `StopReason`. */
  readonly abort: AbortController;
}
