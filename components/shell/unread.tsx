'use client';

import { useUnread } from '../inbox/use-unread';
import { cx } from '../ui/cx';

const MOST_SHOWN = 99;

/** How much of the inbox waits to be read; nothing where nothing does. */
export function Unread({ className }: { readonly className: string }) {
  const unread = useUnread();
  if (unread === null || unread === 0) return null;
  return (
    <span className={cx('min-w-4 rounded-sm bg-accent px-1 text-center text-xs leading-4 text-on-accent', className)}>
      {unread > MOST_SHOWN ? `${MOST_SHOWN}+` : unread}
      <span className="sr-only"> not read</span>
    </span>
  );
}
