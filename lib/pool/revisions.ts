/** The revisions of the protocol that the console speaks, newest first; the first is the modern era's. */
export const REVISIONS = ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', '2024-10-07'] as const;

/** Whether a refusal is about the revision that was offered: it says so, or names one that the console speaks. */
export const isAboutRevisions = (text: string): boolean => /protocol.?version/i.test(text) || (/version|revision/i.test(text) && REVISIONS.some((revision) => text.includes(revision)));

/** Where a refusal lists what the server takes, rather than what it was offered. */
const LIST = /(?<!not |un)support(?:s|ed)\b|\b(?:speaks|accepts|expect(?:s|ed)|must be one of)\b/i;

/** The revisions that a refusal lists as those of the server, and that the console speaks as well; newest first. */
export function findSharedRevisions(text: string): readonly string[] {
  const listed = text.slice(LIST.exec(text)?.index ?? text.length);
  return REVISIONS.filter((revision) => listed.includes(revision));
}
