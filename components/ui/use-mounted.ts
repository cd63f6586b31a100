'use client';

import { useSyncExternalStore } from 'react';

const never = () => () => undefined;

/** False on the server and until the page listens: what is typed into a field before that would be lost. */
export const useMounted = (): boolean => useSyncExternalStore(never, () => true, () => false);
