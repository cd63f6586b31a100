import type { ServerWarning } from '@/components/servers/views';
import type { Role } from '@/lib/auth';
import type { ServerSnapshot } from '@/lib/manifests';
import type { ConnectedFacts } from '@/lib/pool';
import type { ServerEntry } from '@/lib/servers';
import { configWarnings, listWarnings, strayWarning, transportWarnings, type ConnectionTestResult } from '@/lib/testing-connections';
import { showStrayLines } from './show-printed';

interface WarnedServer {
  readonly entry: ServerEntry;
  readonly facts: ConnectedFacts | null;
  readonly snapshot: ServerSnapshot | null;
  readonly strayLines: { readonly count: number; readonly first: string | null };
  readonly lastTest: ConnectionTestResult | null;
}

/**
 * What is odd about a server although it works, each once, in the words of its test: what it is reached by and gives up,
 * what it listed and printed as it stands now, and what else its last test had to say.
 */
export function listServerWarnings({ entry, facts, snapshot, strayLines, lastTest }: WarnedServer, role: Role): readonly ServerWarning[] {
  const tested = lastTest?.strayLines ?? NO_LINES;
  // Of a connection that is closed only its test is still known.
  const stray = strayLines.count === 0 ? tested : strayLines;
  const now = [
    ...warn('settings', configWarnings(entry)),
    ...warn('settings', facts === null ? [] : transportWarnings(entry, facts)),
    ...warn('tools', snapshot === null ? [] : listWarnings(snapshot.toolList, NO_LINES)),
    ...warn('log', stray.count === 0 ? [] : [strayWarning(showStrayLines(stray, role))]),
    ...warn(null, snapshot?.toolList.warnings ?? []),
  ];
  const toldAsNow = new Set([...now.map(({ text }) => text), ...(lastTest === null ? [] : listOfTest(entry, lastTest))]);
  return [...now, ...warn(null, [...new Set(lastTest?.warnings)].filter((text) => !toldAsNow.has(text)))];
}

const NO_LINES = { count: 0, first: null };

const warn = (page: ServerWarning['page'], texts: readonly string[]): ServerWarning[] => texts.map((text) => ({ text, page }));

/** What a test said of the lists, the lines, the transport and the manifest as they were then. */
function listOfTest(entry: ServerEntry, { facts, snapshot, strayLines }: ConnectionTestResult): readonly (string | null)[] {
  return [
    ...(facts === null ? [] : transportWarnings(entry, facts)),
    strayWarning(strayLines),
    ...(snapshot === null ? [] : [...listWarnings(snapshot.toolList, NO_LINES), ...snapshot.toolList.warnings, snapshot.manifestProblem]),
  ];
}
