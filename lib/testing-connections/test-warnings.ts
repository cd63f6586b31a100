import { toVisibleText } from '@/lib/core';
import type { SetAsideTool, ToolList } from '@/lib/manifests';
import type { ConnectedFacts } from '@/lib/pool';
import type { ServerEntry } from '@/lib/servers';

/** What a server is reached by, and what became of the transport that its entry names. */
type Reached = Pick<ConnectedFacts, 'transport' | 'fellBackFrom'>;

interface StrayLinesSeen {
  readonly count: number;
  readonly first: string | null;
}

const QUOTED_LENGTH = 120;

const quote = (text: string): string => {
  const visible = toVisibleText(text.trim());
  return `"${visible.length > QUOTED_LENGTH ? `${visible.slice(0, QUOTED_LENGTH)}…` : visible}"`;
};

const nameOf = ({ name, reason }: SetAsideTool): string =>
  `${name === null || name === '' ? 'one without a name' : quote(name)} (${reason.replace(/\.$/, '')})`;

/** What a configuration gives up, whatever the server does. */
export const configWarnings = (entry: ServerEntry): readonly string[] =>
  entry.transport !== 'stdio' && entry.tls?.insecure === true
    ? ['TLS not verified: whoever stands between the console and this server can read and change everything. Remove "insecure", or name the certificate authority in "ca".']
    : [];

/** What a server is reached by that is not what its entry names. */
export const transportWarnings = (entry: ServerEntry, { transport, fellBackFrom }: Reached): readonly string[] =>
  entry.transport === 'http' && transport === 'sse'
    ? [
        'Its address speaks the older HTTP+SSE transport, not Streamable HTTP. Set its transport to "sse", or give the address of its Streamable HTTP endpoint.' +
          (fellBackFrom === undefined ? '' : ` To Streamable HTTP it answered: ${toVisibleText(fellBackFrom)}`),
      ]
    : [];

/** What is odd about what a server printed and listed, although it works (product section 3). */
export function listWarnings(toolList: ToolList, strayLines: StrayLinesSeen): readonly string[] {
  const { tools, setAside } = toolList;
  return [
    ...(strayLines.count === 0 ? [] : [strayWarning(strayLines)]),
    ...(tools.length + setAside.length === 0
      ? ['Its tool list is empty: nothing can be called. See whether it needs a setting or a sign-in before it offers tools.']
      : []),
    ...(setAside.length === 0
      ? []
      : [`${setAside.length === 1 ? 'One tool was' : `${setAside.length} tools were`} set aside: ${setAside.map(nameOf).join(', ')}. The others can be used.`]),
  ];
}

/** What is said of lines on stdout that were no protocol messages, one or more. */
export const strayWarning = ({ count, first }: StrayLinesSeen): string =>
  `It prints to stdout, where only the protocol belongs: ${count === 1 ? 'one line' : `${count} lines`}` +
  `${first === null ? '' : `, the first ${quote(first)}`}. Send its messages to stderr; a line that lands inside an answer loses that answer.`;
