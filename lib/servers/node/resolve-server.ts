import { createHash } from 'node:crypto';
import { err, isSecretName, ok, toCanonicalJson, type FieldError, type Json, type Result } from '@/lib/core';
import {
  isLocal, secretArgumentValuesOf, type RemoteEntry, type ResolvedServer, type ResolvedTransport, type ServerEntry, type StdioEntry,
} from '..';
import { toChildEnvironment, toTellingEnvironment } from './child-environment';
import { FieldExpander } from './field-expander';
import { resolveRemote } from './resolve-remote';

export interface ResolveContext {
  /** The environment that the console was started with. */
  readonly environment: Readonly<Record<string, string>>;
  /** A value of the vault. */
  readonly findSecret: (name: string) => string | undefined;
  /** The folder of the job that the connection is opened for. */
  readonly jobDirectory: string | null;
  /** The run that the connection is opened for; null for the shared one. */
  readonly runId: string | null;
}

/** What stands in the fingerprint for what differs from job to job, so that all jobs share one guard. */
const JOB_DIRECTORY_MARK = '${SIGNALBOX_JOB_DIR}';
const JOB_DIRECTORY_NAME = 'SIGNALBOX_JOB_DIR';

/**
 * An entry with every placeholder replaced and every file of its `tls` read. What cannot be resolved is an error
 * that names the field and the variable, all of them at once; values never stand in an error.
 */
export function resolveServer(
  entry: ServerEntry,
  context: ResolveContext,
): Result<ResolvedServer, readonly FieldError[]> {
  const expander = new FieldExpander(context.environment, context.findSecret);
  const resolved =
    entry.transport === 'stdio' ? resolveStdio(entry, context, expander) : resolveOverNetwork(entry, context, expander);
  const sampleMount =
    entry.sample_mount === undefined
      ? undefined
      : expander.expand('sample_mount', entry.sample_mount, { SIGNALBOX_RUN_ID: context.runId ?? 'console' });
  if (expander.errors.length > 0 || !resolved) return err(expander.errors);
  return ok({
    key: entry.key,
    fingerprint: toFingerprint(entry, resolved.identity),
    transport: resolved.transport,
    era: entry.era,
    limits: entry.limits,
    secretValues: [...expander.secretValues],
    ...(sampleMount !== undefined && { sampleMount }),
  });
}

interface Resolved {
  readonly transport: ResolvedTransport;
  /** The same without what differs from job to job. */
  readonly identity: Json;
}

function resolveStdio(entry: StdioEntry, context: ResolveContext, expander: FieldExpander): Resolved {
  const argsWith = (jobDirectory: string) =>
    entry.args.map((argument, index) => expander.expand(`args.${index}`, argument, { [JOB_DIRECTORY_NAME]: jobDirectory }));
  const command = expander.expand('command', entry.command);
  const cwd = entry.cwd === undefined ? null : expander.expand('cwd', entry.cwd);
  const env = Object.fromEntries(
    Object.entries(entry.env).map(([name, value]) => [name, expander.expand(`env.${name}`, value)]),
  );
  const sources = { inherited: context.environment, allowed: entry.env_allow, own: env };
  const environment = toChildEnvironment(sources);
  // Those that `env_allow` hands on are the server's to print as much as its own.
  for (const [name, value] of Object.entries(environment)) if (isSecretName(name)) expander.keepSecret(value);
  const args = argsWith(context.jobDirectory ?? '');
  for (const value of secretArgumentValuesOf(args)) expander.keepSecret(value);
  if (context.jobDirectory === null && entry.args.some((argument) => argument.includes(JOB_DIRECTORY_MARK))) {
    expander.fail('args', 'args name SIGNALBOX_JOB_DIR, and there is no job directory here. Take it out.');
  }
  const told: Readonly<Record<string, string>> =
    isLocal(entry) && context.jobDirectory !== null ? { [JOB_DIRECTORY_NAME]: context.jobDirectory } : {};
  return {
    transport: { kind: 'stdio', command, args, env: { ...environment, ...told }, cwd },
    identity: { command, args: argsWith(JOB_DIRECTORY_MARK), env: toTellingEnvironment(sources), cwd },
  };
}

function resolveOverNetwork(entry: RemoteEntry, context: ResolveContext, expander: FieldExpander): Resolved | null {
  const transport = resolveRemote(entry, context.environment, expander);
  return transport && { transport, identity: { ...transport, url: transport.url.href } };
}

function toFingerprint(entry: ServerEntry, identity: Json): string {
  const whole: Json = {
    transport: entry.transport,
    era: entry.era,
    maxMessageBytes: entry.limits.max_message_bytes ?? null,
    sampleMount: entry.sample_mount ?? null,
    identity,
  };
  return createHash('sha256').update(toCanonicalJson(whole)).digest('hex');
}
