'use client';

import { usePageKeys } from '../ui/use-page-keys';

interface Walking {
  readonly onStep: (step: 1 | -1) => void;
  readonly onOpen: () => void;
}

/** j and k step through a list from anywhere on its page, Enter opens. */
export function useWalking({ onStep, onOpen }: Walking): void {
  usePageKeys({ j: () => onStep(1), k: () => onStep(-1), Enter: onOpen });
}
