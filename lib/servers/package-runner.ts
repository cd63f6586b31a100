const RUNNERS: ReadonlySet<string> = new Set(['npx', 'bunx', 'uvx', 'pnpx', 'pipx']);

/** Commands that run a package only with one of these words first. */
const RUNNERS_BY_WORD: Readonly<Record<string, readonly string[]>> = {
  npm: ['exec', 'x'],
  pnpm: ['dlx', 'exec'],
  yarn: ['dlx', 'exec'],
  bun: ['x'],
  uv: ['run', 'tool'],
  deno: ['run'],
  docker: ['run'],
  podman: ['run'],
};

/** Whether a command may install something before it serves, so that its first start takes longer. */
export function isPackageRunner(command: string, args: readonly string[]): boolean {
  const program = (command.split(/[\\/]/).pop() ?? command).toLowerCase().replace(/\.(?:cmd|exe|bat|ps1)$/, '');
  if (RUNNERS.has(program)) return true;
  const words = Object.hasOwn(RUNNERS_BY_WORD, program) ? RUNNERS_BY_WORD[program] : undefined;
  const first = args.find((argument) => !argument.startsWith('-'));
  return words !== undefined && first !== undefined && words.includes(first);
}
