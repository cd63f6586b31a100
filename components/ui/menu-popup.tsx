'use client';

import { Menu as BaseMenu } from '@base-ui/react/menu';
import { useRouter } from 'next/navigation';
import type { Route } from 'next';
import type { RefObject } from 'react';
import { cx } from './cx';
import type { MenuItem } from './menu-item';

interface MenuPopupProps {
  readonly id: string;
  readonly label: string;
  readonly items: readonly MenuItem[];
  readonly anchorRef: RefObject<HTMLButtonElement | null>;
  readonly landmarkRef: RefObject<HTMLElement | null>;
  readonly onClose: () => void;
}

const itemClasses =
  'flex h-8 cursor-default items-center max-md:h-11 gap-2 px-3 outline-none data-highlighted:bg-hover data-disabled:text-faint';

export default function MenuPopup({ id, label, items, anchorRef, landmarkRef, onClose }: MenuPopupProps) {
  const router = useRouter();
  return (
    <BaseMenu.Root
      open
      onOpenChange={(next) => {
        if (!next) onClose();
      }}
    >
      {/* Within the landmark that its button is in: nothing of a page stands outside of one. */}
      <BaseMenu.Portal container={landmarkRef}>
        <BaseMenu.Positioner anchor={anchorRef} align="end" sideOffset={4} className="z-50">
          <BaseMenu.Popup
            id={id}
            aria-label={label}
            finalFocus={anchorRef}
            className="min-w-44 rounded-md border border-line bg-surface py-1 shadow-float outline-none"
          >
            {items.map((item) => {
              if (item.kind === 'separator') return <BaseMenu.Separator key={item.key} className="my-1 border-t border-line" />;
              if (item.kind === 'note') {
                return <div key={item.key} role="presentation" className="max-w-64 px-3 py-1 text-sm break-words text-muted">{item.text}</div>;
              }
              const isLink = item.kind === 'link';
              return (
                <BaseMenu.Item
                  key={item.key}
                  disabled={!isLink && item.disabled === true}
                  className={cx(itemClasses, !isLink && item.danger === true && 'text-bad')}
                  onClick={() => {
                    // Addresses that carry keys are made at run time, beyond what typed routes can check.
                    if (isLink) router.push(item.href as Route);
                    else item.onSelect();
                  }}
                >
                  {item.icon}
                  {item.label}
                </BaseMenu.Item>
              );
            })}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
