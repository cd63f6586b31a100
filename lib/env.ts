import { homedir } from 'node:os';
import { isAbsolute, join, resolve, sep } from 'node:path';
import { z } from 'zod';
import { AppError, type FieldError } from '@/lib/core';
import { findPackageRoot } from './package-root';

/** The lowest first: what is logged at a level is logged at those after it. */
const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'] as const;

/** All that the process was started with. */
export interface Environment {
  /** The data directory. */
  readonly home: string;
  /** The address that the console is bound to. */
  readonly host: string;
  readonly port: number;
  readonly adminEmail: string | null;
  readonly adminPassword: string | null;
  /** 32 bytes, as 64 hex digits or base64; null takes the key file. */
  readonly vaultKey: string | null;
  readonly logLevel: (typeof LOG_LEVELS)[number];
  /** Further names, `name` or `name:port`, under which the console may be reached. */
  readonly allowedHosts: readonly string[];
  /** What reads `/api/metrics`; null where nobody may. */
  readonly metricsToken: string | null;
  /** What placeholders and `env_allow` may take: the environment without the console's own variables. */
  readonly inherited: Readonly<Record<string, string>>;
  readonly startedAt: number;
  /** The folder of this installation. */
  readonly packageRoot: string;
  /** A file of servers that are used instead of the stored ones, named by `serve --config`. */
  readonly configFile: string | null;
  readonly production: boolean;
}

const PORT_RULE = 'a number from 1 to 65535';
const HOST_RULE = 'names separated by commas, each with or without a port, such as console.example:443';

const variablesSchema = z.object({
  SIGNALBOX_HOME: z.string().optional(),
  SIGNALBOX_HOST: z.string().regex(/^[A-Za-z0-9.:-]+$/, 'an address or a name to bind to, such as 127.0.0.1').optional(),
  SIGNALBOX_PORT: z.coerce.number(PORT_RULE).int(PORT_RULE).min(1, PORT_RULE).max(65_535, PORT_RULE).optional(),
  SIGNALBOX_ADMIN_EMAIL: z.email('an e-mail address').optional(),
  SIGNALBOX_ADMIN_PASSWORD: z.string().min(10, 'at least 10 characters').max(200, 'at most 200 characters').optional(),
  SIGNALBOX_VAULT_KEY: z
    .string()
    .refine(isVaultKey, '32 bytes as 64 hex digits or as base64; `openssl rand -base64 32` makes one')
    .optional(),
  SIGNALBOX_ALLOWED_HOSTS: z.string().transform(splitList).refine((hosts) => hosts.every(isHost), HOST_RULE).optional(),
  SIGNALBOX_METRICS_TOKEN: z.string().regex(/^[\x21-\x7e]{16,512}$/, 'at least 16 characters without spaces; `openssl rand -hex 24` makes one').optional(),
  SIGNALBOX_CONFIG: z.string().optional(),
  SIGNALBOX_LOG_LEVEL: z.enum(LOG_LEVELS, `one of ${LOG_LEVELS.join(', ')}`).optional(),
});

function splitList(text: string): string[] {
  return text.split(',').map((item) => item.trim().toLowerCase()).filter((item) => item !== '');
}

const isHost = (text: string): boolean => /^(\[[0-9a-f:]+\]|[a-z0-9.-]+)(:\d{1,5})?$/.test(text);

function isVaultKey(text: string): boolean {
  return /^[0-9a-fA-F]{64}$/.test(text) || /^[A-Za-z0-9+/]{43}=$/.test(text);
}

/**
 * Reads the environment, the only place that does.
 * @throws AppError `bad_input` with a sentence for each variable that is wrong
 */
export function readEnvironment(variables: NodeJS.Dict<string> = process.env, program: string | undefined = process.argv[1]): Environment {
  const parsed = variablesSchema.safeParse(withoutEmpty(variables));
  const values = parsed.success ? parsed.data : {};
  const fields = parsed.success ? checkTogether(parsed.data) : parsed.error.issues.map(toFieldError);
  if (fields.length > 0) {
    throw new AppError({ code: 'bad_input', message: fields.map((field) => field.message).join('\n'), fields });
  }
  const packageRoot = requirePackageRoot(variables, program);
  return {
    home: values.SIGNALBOX_HOME === undefined ? defaultHome(packageRoot, variables) : resolve(values.SIGNALBOX_HOME),
    host: values.SIGNALBOX_HOST ?? '127.0.0.1',
    port: values.SIGNALBOX_PORT ?? 4280,
    adminEmail: values.SIGNALBOX_ADMIN_EMAIL ?? null,
    adminPassword: values.SIGNALBOX_ADMIN_PASSWORD ?? null,
    vaultKey: values.SIGNALBOX_VAULT_KEY ?? null,
    logLevel: values.SIGNALBOX_LOG_LEVEL ?? 'info',
    allowedHosts: values.SIGNALBOX_ALLOWED_HOSTS ?? [],
    metricsToken: values.SIGNALBOX_METRICS_TOKEN ?? null,
    inherited: toInherited(variables),
    startedAt: Math.round(performance.timeOrigin),
    packageRoot,
    configFile: values.SIGNALBOX_CONFIG === undefined ? null : resolve(values.SIGNALBOX_CONFIG),
    production: variables.NODE_ENV === 'production',
  };
}

/** A variable that is set to nothing counts as not set. */
const withoutEmpty = (variables: NodeJS.Dict<string>): NodeJS.Dict<string> =>
  Object.fromEntries(Object.entries(variables).filter(([, value]) => value !== ''));

function toFieldError(issue: z.core.$ZodIssue): FieldError {
  const name = String(issue.path[0]);
  return { field: name, message: `${name} is not usable: it must be ${issue.message}.` };
}

/**
 * Says how this process serves the console, before Next loads in it: the console's own copy of this module reads
 * it from the environment, as it does in a process that was started for it alone.
 */
export function setServing(serving: { host: string; port: number; packageRoot: string; configFile: string | null }): void {
  Object.assign(process.env, {
    SIGNALBOX_HOST: serving.host,
    SIGNALBOX_PORT: String(serving.port),
    SIGNALBOX_PACKAGE_ROOT: serving.packageRoot,
    ...(serving.configFile === null ? {} : { SIGNALBOX_CONFIG: serving.configFile }),
    NODE_ENV: 'production',
    NEXT_TELEMETRY_DISABLED: '1',
  });
}

function checkTogether(values: z.infer<typeof variablesSchema>): FieldError[] {
  const { SIGNALBOX_ADMIN_EMAIL: email, SIGNALBOX_ADMIN_PASSWORD: password } = values;
  if ((email === undefined) === (password === undefined)) return [];
  const [given, missing] =
    email === undefined ? ['SIGNALBOX_ADMIN_PASSWORD', 'SIGNALBOX_ADMIN_EMAIL'] : ['SIGNALBOX_ADMIN_EMAIL', 'SIGNALBOX_ADMIN_PASSWORD'];
  return [{ field: missing ?? '', message: `${given} is set and ${missing} is not: set both, or neither.` }];
}

function requirePackageRoot(variables: NodeJS.Dict<string>, program: string | undefined): string {
  const places = [variables.SIGNALBOX_PACKAGE_ROOT, program, process.cwd()].filter((place) => place !== undefined);
  const root = findPackageRoot(places);
  if (root === undefined) {
    throw new AppError({
      code: 'unavailable',
      message: `The folder of the installation was not found above ${places.join(' or ')}.`,
      remedy: 'Start Signalbox by its own command, or name its folder in SIGNALBOX_PACKAGE_ROOT.',
    });
  }
  return root;
}

/** Beside the code in a clone; among the user's data where the code is an installed package. */
function defaultHome(packageRoot: string, variables: NodeJS.Dict<string>): string {
  if (!packageRoot.split(sep).includes('node_modules')) return join(packageRoot, '.signalbox');
  const configured = variables.XDG_DATA_HOME;
  // A relative path in an XDG variable is to be ignored (XDG base directory specification).
  const data = configured !== undefined && isAbsolute(configured) ? configured : join(homedir(), '.local', 'share');
  return join(data, 'signalbox');
}

function toInherited(variables: NodeJS.Dict<string>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(variables).flatMap(([name, value]) => (value === undefined || name.startsWith('SIGNALBOX_') ? [] : [[name, value]])),
  );
}
