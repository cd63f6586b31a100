'use client';

import { useContext, useEffect, useRef, useSyncExternalStore } from 'react';
import type { LiveMessage } from '..';
import type { LiveConnection, LiveStatus } from './live-connection';
import { LiveContext } from './live-provider';

type MessageOf<Type extends LiveMessage['type']> = Extract<LiveMessage, { type: Type }>;

interface UseLiveOptions {
  /** For `ledger.row`: the cursor of what the page shows; rows that came since are given first. */
  readonly after?: number;
  /** Rows between `after` and now are no longer at hand: read the page again. */
  readonly onMissed?: () => void;
}

/**
 * Calls the listener for each message of a type while the component is shown; the newest listener is called.
 * `caught_up` comes after each time the stream was joined: what is not a ledger row is to be read again then.
 */
export function useLive<Type extends LiveMessage['type']>(
  type: Type,
  listener: (message: MessageOf<Type>) => void,
  options: UseLiveOptions = {},
): void {
  const connection = useConnection();
  const newest = useRef({ listener, onMissed: options.onMissed });
  useEffect(() => {
    newest.current = { listener, onMissed: options.onMissed };
  });
  const { after } = options;
  useEffect(() => {
    const give = (message: LiveMessage): void => {
      if (isOf(type, message)) newest.current.listener(message);
    };
    const unsubscribe = connection.subscribe(give);
    if (after !== undefined) {
      const rows = connection.rowsSince(after);
      if (rows === null) newest.current.onMissed?.();
      else rows.forEach(give);
    }
    return unsubscribe;
  }, [connection, type, after]);
}

/** How the stream stands; `lost` means that what is shown may be out of date. */
export function useLiveStatus(): LiveStatus {
  const connection = useConnection();
  return useSyncExternalStore(connection.subscribeToStatus, connection.getStatus, () => 'connecting');
}

function useConnection(): LiveConnection {
  const connection = useContext(LiveContext);
  if (connection === null) throw new Error('useLive stands outside of LiveProvider');
  return connection;
}

const isOf = <Type extends LiveMessage['type']>(type: Type, message: LiveMessage): message is MessageOf<Type> => message.type === type;
