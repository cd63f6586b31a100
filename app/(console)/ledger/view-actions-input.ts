import { z } from 'zod';
import { viewIds } from '@/lib/core';
import { MAX_VIEW_NAME_CHARACTERS } from '@/lib/ledger';

export const viewIdInput = z.string().transform((text, context) => {
  const id = viewIds.parse(text);
  if (id !== undefined) return id;
  context.addIssue({ code: 'custom', message: 'This is no id of a saved view: reload the page and try again.' });
  return z.NEVER;
});

export const viewNameInput = z.string().trim().min(1, 'Give the view a name.').max(MAX_VIEW_NAME_CHARACTERS, `A name has at most ${MAX_VIEW_NAME_CHARACTERS} characters.`);
