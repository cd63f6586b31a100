import { formatBytes, formatDuration } from '@/lib/core';

/** What a remedy may name. */
export interface RemedyFacts {
  readonly serverKey: string;
  readonly tool: string;
  readonly httpStatus?: number | null;
  /** For `server_resting`: until it may be tried again. */
  readonly waitMs?: number;
  /** For `timeout`: the field of the limits that ran out. */
  readonly limitField?: string;
  /** For `result_too_large`. */
  readonly sizeBytes?: number;
}

/** What to do about an error whose server did not say; every code has one (product section 5). */
export function consoleRemedy(code: string, facts: RemedyFacts): string {
  return REMEDIES[code]?.(facts) ?? remedyForStatus(facts);
}

const REMEDIES: Readonly<Record<string, ((facts: RemedyFacts) => string) | undefined>> = {
  missing_dependency: ({ serverKey }) =>
    `Install what the message names on the machine where ${serverKey} runs, or set where it is, then restart the server.`,
  timeout: ({ serverKey, tool, limitField }) =>
    `Give it longer: raise ${limitField ?? `limits.tools.${tool}`} in the settings of ${serverKey}. Before calling again, see whether it was carried out.`,
  bad_argument: ({ tool }) => `Compare the arguments with the schema of ${tool}, mend what the message names, and call again.`,
  no_such_file: () => 'Give a path that the server can open: put the file into the job directory with the file chooser, and use the path it shows.',
  unsupported_format: () => 'Use a file of a format that the tool names in its description, or another tool.',
  not_configured: ({ serverKey }) => `Add the setting that the message names to the server's environment or arguments, on the settings page of ${serverKey}.`,
  tool_failed: ({ serverKey, tool }) => `Read the message: ${tool} gave no remedy. What ${serverKey} printed meanwhile stands in its log.`,
  no_such_tool: ({ serverKey }) => `Choose a tool that ${serverKey} lists on its page; if it was added just now, refresh the list there.`,
  server_resting: ({ waitMs }) =>
    `Wait ${waitMs === undefined ? 'until its rest is over' : formatDuration(waitMs)}: then one call tries it. Its page shows what failed before.`,
  not_connected: ({ serverKey }) => `Open the page of ${serverKey} and run its connection test: it shows which step fails and how to mend it.`,
  denied: () => 'Ask someone whose role allows it.',
  not_approved: () => 'Ask for the call again where somebody can approve it.',
  not_exposed: ({ serverKey, tool }) => `An operator can tick ${tool} in the review of ${serverKey}'s tools, or call it from the server's page.`,
  tool_changed: ({ serverKey }) => `An operator reviews the difference on the page of ${serverKey}.`,
  unavailable_here: ({ serverKey }) => `See the card of ${serverKey}: it names what is missing. An operator may try anyway on its page.`,
  path_outside_job: () => 'Put the file into the job directory and give that path.',
  cancelled: () => 'Before calling again, see whether it was carried out.',
  interrupted: () => 'Before calling again, see whether it was carried out.',
  connection_lost: ({ serverKey }) =>
    `See the log of ${serverKey} for why it ended. Before calling again, see whether the call was carried out.`,
  outcome_unknown: () => 'Before calling again, see whether it was carried out.',
  result_too_large: ({ serverKey, sizeBytes }) =>
    `Ask for less at a time, or raise limits.max_message_bytes of ${serverKey}${sizeBytes === undefined ? '' : ` above ${formatBytes(sizeBytes)}`}.`,
  protocol_error: ({ serverKey }) => `Report it to the author of ${serverKey}: its answer breaks the protocol or refuses the request. Its page shows its version.`,
  budget_spent: () => 'Raise the budget, or split the work.',
};

function remedyForStatus({ serverKey, httpStatus }: RemedyFacts): string {
  if (httpStatus === 401 || httpStatus === 403) return `Check the credentials that ${serverKey} uses for the service it asks.`;
  if (httpStatus === 404) return 'Check the name or address in the arguments: the service does not know it.';
  if (httpStatus === 429) return 'The service that the tool asks wants fewer requests: wait, then call again.';
  if (typeof httpStatus === 'number' && httpStatus >= 500) return 'The service that the tool asks has trouble of its own: try later.';
  return `The message is the server's own and names no remedy. What ${serverKey} printed meanwhile stands in its log.`;
}
