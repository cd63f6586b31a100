import { z } from 'zod';

import { MiB } from '@/lib/core';
import { ToolFailure, defineTool, type HostEnvironment } from '@/kit';

const MOST_ANSWER_BYTES = MiB;

const jsonAnswer = z.json();

export const reputation = defineTool({
  name: 'reputation',
  title: 'Reputation of a hash',
  description:
    'Asks the reputation service that is set up for this server what it knows of a file by its hash. ' +
    'Only the hash is sent, never the file. Take the hash from the tool hashes.',
  input: z.strictObject({
    hash: z
      .string()
      .regex(/^(?:[0-9a-fA-F]{32}|[0-9a-fA-F]{40}|[0-9a-fA-F]{64})$/, 'give an MD5, SHA-1 or SHA-256 in hexadecimal')
      .describe('MD5, SHA-1 or SHA-256 in hexadecimal.'),
  }),
  output: z.object({
    hash: z.string(),
    known: z.boolean().describe('Whether the service knows the hash.'),
    service: z.string().describe('Host of the service that was asked.'),
    report: jsonAnswer.nullable().describe('What the service answered, as it answered it.'),
  }),
  annotations: { readOnlyHint: true, idempotentHint: true, openWorldHint: true },
  needs: { env: ['REPUTATION_API_URL', 'REPUTATION_API_KEY'] },
  remediation:
    'In the settings of this server set the variables REPUTATION_API_URL (address of the service; the hash is added as its last part) and ' +
    'REPUTATION_API_KEY (your key for it), and REPUTATION_API_HEADER where the key goes into a header other than Authorization; then restart this server.',
  timeout_s: 30,
  sends_elsewhere: true,
  run: async ({ hash }, { environment, signal }) => {
    const { url, headers } = toRequest(hash.toLowerCase(), environment);
    const response = await ask(url, headers, signal);
    const answer = { hash: hash.toLowerCase(), service: url.host };
    if (response.status === 404) {
      await response.body?.cancel();
      return { ...answer, known: false, report: null };
    }
    if (!response.ok) throw await toServiceFailure(response, url);
    return { ...answer, known: true, report: parseReport(await readBounded(response, url), url) };
  },
});

function toRequest(hash: string, environment: HostEnvironment): { url: URL; headers: Headers } {
  const { REPUTATION_API_URL: base = '', REPUTATION_API_KEY: key = '', REPUTATION_API_HEADER: header = '' } = environment;
  if (!URL.canParse(base) || !/^https?:$/.test(new URL(base).protocol)) {
    throw new ToolFailure(
      'not_configured',
      'REPUTATION_API_URL is no http or https address.',
      'In the settings of this server set it to an address such as https://reputation.example/v1/files, then restart it.',
    );
  }
  const url = new URL(base);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${hash}`;
  try {
    return { url, headers: new Headers({ accept: 'application/json', ...(header === '' ? { authorization: `Bearer ${key}` } : { [header]: key }) }) };
  } catch {
    // The cause would quote the key.
    throw new ToolFailure(
      'not_configured',
      'REPUTATION_API_KEY or REPUTATION_API_HEADER holds characters that no HTTP header may have.',
      'In the settings of this server write them anew, without line ends, then restart it.',
    );
  }
}

async function ask(url: URL, headers: Headers, signal: AbortSignal): Promise<Response> {
  try {
    // A redirect would carry the key to whoever the service names.
    return await fetch(url, { headers, redirect: 'error', signal });
  } catch (cause) {
    signal.throwIfAborted();
    const why = cause instanceof Error && cause.cause instanceof Error ? cause.cause.message : String(cause);
    throw new ToolFailure(
      'tool_failed',
      `The reputation service at ${url.host} could not be asked: ${why}.`,
      'Check REPUTATION_API_URL in the settings of this server, and that this machine may reach that address.',
      { cause },
    );
  }
}

async function toServiceFailure(response: Response, url: URL): Promise<ToolFailure> {
  await response.body?.cancel();
  const answered = `The reputation service at ${url.host} answered HTTP ${response.status}`;
  switch (response.status) {
    case 401:
    case 403:
      return new ToolFailure('not_configured', `${answered}: it does not accept the key.`, 'Set REPUTATION_API_KEY in the settings of this server to a key that the service accepts, then restart it.');
    case 429:
      return new ToolFailure('tool_failed', `${answered}: too many questions.`, 'Wait a minute, then ask again.');
    default:
      return new ToolFailure('tool_failed', `${answered}.`, 'Try again later; if it stays so, check REPUTATION_API_URL in the settings of this server.');
  }
}

async function readBounded(response: Response, url: URL): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > MOST_ANSWER_BYTES) {
      throw new ToolFailure('tool_failed', `The reputation service at ${url.host} answered more than 1 MiB.`, 'Check that REPUTATION_API_URL is the address of its report on one file.');
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

function parseReport(body: string, url: URL): z.infer<typeof jsonAnswer> {
  try {
    return jsonAnswer.parse(JSON.parse(body));
  } catch (cause) {
    throw new ToolFailure('tool_failed', `The reputation service at ${url.host} did not answer JSON.`, 'Check that REPUTATION_API_URL is the address of its API, not of its web page.', { cause });
  }
}
