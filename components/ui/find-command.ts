const PROGRAMS =
  'apt-get|apt|dnf|yum|apk|pacman|brew|npm|npx|pnpm|yarn|node|pip|pip3|pipx|uv|uvx|python|python3|docker|podman|cargo|go|gem|chmod|chown|mkdir|export|which|curl|signalbox';
const BACKTICKED = /`([^`\n]+)`/;
/** After a program's name these begin a sentence about it, not its arguments. */
const SENTENCE = '(?!(?:is|was|has|can|cannot|needs|must|at|on|in|from|of|or|and)\\b|\\d)';
const AFTER_WORDS = new RegExp(`(?:^|[:(]\\s*|\\b(?:[Rr]un|with|by)\\s+)((?:sudo\\s+)?(?:${PROGRAMS})\\s${SENTENCE}[^\\n]+)`);

/**
 * The command that a remedy names, for copying: what stands in backticks, else what follows a colon (or begins
 * the text, or follows "run") and begins with a program that remedies use; undefined where there is none.
 */
export function findCommand(remedy: string): string | undefined {
  const backticked = BACKTICKED.exec(remedy)?.[1];
  if (backticked !== undefined) return backticked.trim();
  const found = AFTER_WORDS.exec(remedy)?.[1];
  if (found === undefined) return undefined;
  // The command ends where the sentence goes on.
  const command = found.split(/,\s|;\s|\.\s|\.$|\)(?:\s|\.|,|$)|\s(?:and|or|then)\s/)[0]?.trim();
  return command === undefined || !command.includes(' ') ? undefined : command;
}
