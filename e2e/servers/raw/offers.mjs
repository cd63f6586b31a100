import { CALL_OFFERS } from './offers-calls.mjs';
import { LIST_OFFERS } from './offers-lists.mjs';
import { RESULT_OFFERS } from './offers-results.mjs';
import { TASK_OFFERS } from './offers-tasks.mjs';

/** Offers by name: what a correct wire serves, on stdio and on HTTP alike. */
export const OFFERS = { ...LIST_OFFERS, ...RESULT_OFFERS, ...CALL_OFFERS, ...TASK_OFFERS };
