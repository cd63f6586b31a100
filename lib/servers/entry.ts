import { z } from 'zod';
import { serverKeySchema } from './key';

const ERA_CHOICES = ['auto', 'legacy', 'modern'] as const;
export type EraChoice = (typeof ERA_CHOICES)[number];
/** The eras of the protocol: legacy is opened by `initialize`, modern (2026-07-28) is stateless. */
export type Era = Exclude<EraChoice, 'auto'>;

const seconds = z.number().positive().max(86_400);

const toolLimitsSchema = z.strictObject({ idle_s: seconds.optional(), total_s: seconds.optional() });

/** Deadlines and caps of one server; what is absent takes the default of product section 6. */
const limitsSchema = z.strictObject({
  connect_s: seconds.optional(),
  idle_s: seconds.optional(),
  total_s: seconds.optional(),
  max_message_bytes: z.int().min(1024).max(1_073_741_824).optional(),
  max_concurrent_calls: z.int().min(0).max(1000).optional(),
  failures_to_open: z.int().min(1).max(1000).optional(),
  cooldown_s: seconds.optional(),
  tools: z.record(z.string(), toolLimitsSchema).optional(),
});
export type Limits = z.infer<typeof limitsSchema>;

const tlsSchema = z.strictObject({
  ca: z.string().optional(),
  cert: z.string().optional(),
  key: z.string().optional(),
  insecure: z.boolean().optional(),
});

const authSchema = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('none') }),
  /** The name of a secret of the vault, sent as a bearer token. */
  z.strictObject({ kind: z.literal('bearer'), secret: z.string() }),
]);

const commonShape = {
  key: serverKeySchema,
  label: z.string().max(200),
  enabled: z.boolean(),
  connect: z.enum(['start', 'use']),
  era: z.enum(ERA_CHOICES),
  prefix: z.boolean(),
  aliases: z.record(z.string(), z.string()),
  /** null exposes all, [] none, a list only those. */
  tools: z.array(z.string()).nullable(),
  sample_mount: z.string().optional(),
  limits: limitsSchema,
  required: z.boolean(),
  external: z.boolean(),
  trusted: z.boolean(),
  instructions: z.enum(['include', 'omit']),
  verify_with: z.record(z.string(), z.array(z.string())),
  share: z.boolean(),
  reads_errors: z.boolean(),
  tags: z.array(z.string()),
};

export const stdioEntrySchema = z.strictObject({
  ...commonShape,
  transport: z.literal('stdio'),
  command: z.string().min(1),
  args: z.array(z.string()),
  env: z.record(z.string(), z.string()),
  env_allow: z.array(z.string()),
  cwd: z.string().optional(),
});

export const remoteEntrySchema = z.strictObject({
  ...commonShape,
  transport: z.enum(['http', 'sse', 'websocket']),
  url: z.string().min(1),
  headers: z.record(z.string(), z.string()),
  token_env: z.string().optional(),
  auth: authSchema,
  tls: tlsSchema.optional(),
  proxy: z.string().optional(),
});

/** The shape of a whole entry as it is stored; `parseServerEntry` reads what people write. */
export const serverEntrySchema = z.discriminatedUnion('transport', [stdioEntrySchema, remoteEntrySchema]);

export type StdioEntry = z.infer<typeof stdioEntrySchema>;
export type RemoteEntry = z.infer<typeof remoteEntrySchema>;
/** A configured server (product section 1). Field names are those of configuration files. */
export type ServerEntry = StdioEntry | RemoteEntry;

/** An entry with what the store knows of it. */
export interface ServerRecord {
  readonly entry: ServerEntry;
  /** Rises with each save; a save names the revision that it read. */
  readonly revision: number;
  readonly savedAt: number;
  /** Whether its tools were ever reviewed by a person. */
  readonly reviewedAt: number | null;
  /** Where it stands: in the data directory, or in a file named by `--config`. */
  readonly source: 'stored' | 'file';
  /** The bundled analysis server, whose command follows the installation. */
  readonly bundled: boolean;
}

/** Defaults of product section 6.2, in seconds and bytes as configuration has them. */
export const DEFAULT_LIMITS = {
  connect_s: 20,
  connect_package_runner_s: 120,
  idle_s: 120,
  total_s: 900,
  max_message_bytes: 134_217_728,
  max_concurrent_calls: 4,
  failures_to_open: 3,
  cooldown_s: 60,
} as const;

/** A local server shares the console's filesystem; any other is elsewhere, also on loopback. */
export const isLocal = (entry: ServerEntry): boolean => entry.transport === 'stdio' && entry.sample_mount === undefined;
