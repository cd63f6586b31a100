/** What every child sees of the console's own environment (product section 1). */
const SAFE_NAMES: ReadonlySet<string> = new Set(['PATH', 'HOME', 'LANG', 'TMPDIR', 'TZ', 'USER', 'SHELL', 'TERM']);

/** Their counterparts, without which few programs start on Windows; names have no case there. */
const WINDOWS_NAMES: ReadonlySet<string> = new Set([
  'PATHEXT', 'SYSTEMROOT', 'SYSTEMDRIVE', 'WINDIR', 'COMSPEC', 'TEMP', 'TMP', 'USERPROFILE', 'USERNAME', 'HOMEDRIVE', 'HOMEPATH',
  'APPDATA', 'LOCALAPPDATA', 'PROGRAMDATA', 'PROGRAMFILES', 'PROGRAMFILES(X86)', 'COMMONPROGRAMFILES', 'NUMBER_OF_PROCESSORS',
  'PROCESSOR_ARCHITECTURE',
]);

/** Without these a Python server answers in the code page that it inherits, which is not UTF-8 everywhere. */
const UTF8_SETTINGS = { PYTHONUTF8: '1', PYTHONIOENCODING: 'utf-8' } as const;

function isSafe(name: string, platform: NodeJS.Platform): boolean {
  if (platform !== 'win32') return SAFE_NAMES.has(name) || name.startsWith('LC_');
  const upper = name.toUpperCase();
  return SAFE_NAMES.has(upper) || WINDOWS_NAMES.has(upper) || upper.startsWith('LC_');
}

/**
 * Of the safe names, those that say where programs and a person's files are: with another of these a server is another
 * one. The rest (the terminal, the language) differs between a service and a shell that start the same server.
 */
const TELLING_NAMES: ReadonlySet<string> = new Set(['PATH', 'HOME']);

/** What of a child's environment makes its configuration another: `env`, `env_allow`, and where programs are. */
export function toTellingEnvironment(options: ChildEnvironmentOptions): Readonly<Record<string, string>> {
  const kept = new Set([...TELLING_NAMES, ...options.allowed, ...Object.keys(options.own)]);
  return Object.fromEntries(Object.entries(toChildEnvironment(options)).filter(([name]) => kept.has(name)));
}

export interface ChildEnvironmentOptions {
  /** The environment that the console was started with. */
  readonly inherited: Readonly<Record<string, string>>;
  /** Names copied from it beyond the safe ones. */
  readonly allowed: readonly string[];
  /** Set for this server. */
  readonly own: Readonly<Record<string, string>>;
  readonly platform?: NodeJS.Platform;
}

/** A child's whole environment: the safe names, then `env_allow`, then `env`; nothing else is handed on. */
export function toChildEnvironment(options: ChildEnvironmentOptions): Readonly<Record<string, string>> {
  const platform = options.platform ?? process.platform;
  const allowed = new Set(options.allowed);
  const inherited = Object.entries(options.inherited).filter(([name]) => isSafe(name, platform) || allowed.has(name));
  return { ...UTF8_SETTINGS, ...Object.fromEntries(inherited), ...options.own };
}
