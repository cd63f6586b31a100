/** File names that say nothing about a server; the folder above them does. */
const EMPTY_NAMES = new Set([
  'index', 'main', 'server', 'cli', 'app', 'start', 'run', 'dist', 'build', 'src', 'lib', 'bin', 'out',
]);

const RUNNER_WORDS = new Set(['exec', 'x', 'dlx', 'run', 'tool']);
const FLAGS_WITH_VALUE = new Set([
  '-e', '--env', '--env-file', '-v', '--volume', '--mount', '--name', '--network', '-p', '--publish', '-u', '--user',
  '-w', '--workdir',
  '--from', '--with', '--python', '--directory', '--project', '--package', '-c', '--platform', '--entrypoint', '--add-host',
]);

/** A name for the server that a command starts, from its package, image, module or file. */
export function suggestNameForCommand(command: string, args: readonly string[]): string {
  const program = lastPart(command).replace(/\.(?:exe|cmd|bat)$/i, '');
  const subject = findSubject(args);
  const named = subject === undefined ? program : nameOf(subject);
  return named === '' ? program : named;
}

/** A name for the server at a url, from its host: `https://mcp.example.com/x` is `example`. */
export function suggestNameForUrl(url: URL): string {
  const host = url.hostname.replace(/^\[|\]$/g, '');
  if (/^[\d.]+$/.test(host) || host.includes(':')) return host;
  const labels = host.split('.').filter((label) => !['www', 'mcp', 'api'].includes(label));
  return (labels.length > 1 ? labels.at(-2) : labels[0]) ?? host;
}

/** The first argument that names something: neither a flag, nor a flag's value, nor a runner's own word. */
function findSubject(args: readonly string[]): string | undefined {
  for (let index = 0; index < args.length; index += 1) {
    const argument = args[index] ?? '';
    if (argument === '-m') return args[index + 1];
    if (FLAGS_WITH_VALUE.has(argument)) index += 1;
    else if (argument !== '' && !argument.startsWith('-') && !RUNNER_WORDS.has(argument)) return argument;
  }
  return undefined;
}

function nameOf(subject: string): string {
  const path = subject.replace(/\\/g, '/').replace(/\/+$/, '');
  const parts = path.split('/').map(bareName).filter((part) => part !== '' && part !== '.' && part !== '..');
  const telling = parts.findLast((part) => !EMPTY_NAMES.has(part.toLowerCase())) ?? parts.at(-1) ?? '';
  const short = telling.replace(/^(?:mcp[-_]server|server|mcp)[-_]/i, '').replace(/[-_](?:mcp[-_]?server|server|mcp)$/i, '');
  return short === '' ? telling : short;
}

/** Without scope, version, tag and extension. */
const bareName = (part: string): string =>
  part.replace(/(.)@[^@]*$/, '$1').replace(/:[^:]*$/, '').replace(/\.(?:[cm]?[jt]s|py|jar|exe|sh)$/i, '').replace(/^@/, '');

const lastPart = (path: string): string => path.split(/[\\/]/).pop() ?? path;
