import type { ActionResult } from '@/lib/core';

/** A server action as a component gets it. */
export type Action<Data = void> = (input: unknown) => Promise<ActionResult<Data>>;
