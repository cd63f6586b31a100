import type { Route } from 'next';

/** Where someone goes on to: a path of this console, never another site; the servers without one. */
export function toNextPath(next: unknown): Route {
  const isPath = typeof next === 'string' && /^\/(?![/\\])[^\\\p{Cc}]*$/u.test(next) && !next.startsWith('/sign-in');
  // The path comes from a page that was asked for, which typed routes cannot know; a wrong one ends in the 404 page.
  return isPath ? (next as Route) : '/servers';
}
