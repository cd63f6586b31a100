'use client';

import { Ellipsis } from 'lucide-react';
import { usePathname } from 'next/navigation';
import { cx } from '../ui/cx';
import { Menu } from '../ui/menu';
import { DestinationLink } from './destination-link';
import { DESTINATIONS, isWithin } from './destinations';
import { Unread } from './unread';

const [OWN_PLACE, UNDER_MORE] = [DESTINATIONS.filter(({ onPhone }) => onPhone), DESTINATIONS.filter(({ onPhone }) => !onPhone)];

const toPlaceClasses = (isCurrent: boolean): string =>
  cx(
    'relative flex flex-1 flex-col items-center justify-center gap-0.5 text-xs focus-visible:-outline-offset-2',
    isCurrent ? 'font-medium text-accent' : 'text-muted',
  );

/** The rail of a phone, at the bottom: four places, and every other page under the fifth. */
export function BottomBar() {
  const pathname = usePathname();
  return (
    <nav aria-label="Pages" className="fixed inset-x-0 bottom-0 z-30 flex h-(--bar-height) border-t border-line bg-surface md:hidden">
      {OWN_PLACE.map((destination) => {
        const { href, label, icon: Icon } = destination;
        const isCurrent = isWithin(pathname, href);
        return (
          <DestinationLink key={href} destination={destination} isCurrent={isCurrent} className={toPlaceClasses(isCurrent)}>
            <Icon size={18} aria-hidden="true" />
            {label}
            {href === '/inbox' ? <Unread className="absolute top-1 left-1/2 ml-2" /> : null}
          </DestinationLink>
        );
      })}
      <Menu
        label="More pages"
        className={toPlaceClasses(UNDER_MORE.some(({ href }) => isWithin(pathname, href)))}
        items={UNDER_MORE.map(({ href, label, icon: Icon }) => ({ kind: 'link', key: href, label, href, icon: <Icon size={16} aria-hidden="true" /> }))}
        icon={
          <>
            <Ellipsis size={18} aria-hidden="true" />
            More
          </>
        }
      />
    </nav>
  );
}
