import { toVisibleText } from '@/lib/core';
import { Callout } from '../ui/callout';
import { MEANING_LOOKS } from '../ui/meaning';
import { MeaningShape } from '../ui/meaning-shape';
import { TextLink } from '../ui/text-link';
import type { ServerWarning } from './views';

/** On a card. */
const SHOWN = 3;

interface ServerWarningsProps {
  readonly serverKey: string;
  readonly warnings: readonly ServerWarning[];
}

/** What is odd about a server, on its card: the first few in a line or two each, the rest on its page. */
export function CardWarnings({ serverKey, warnings }: ServerWarningsProps) {
  if (warnings.length === 0) return null;
  const further = warnings.length - SHOWN;
  return (
    <ul aria-label="Warnings" className="flex flex-col gap-1 text-sm">
      {warnings.slice(0, SHOWN).map(({ text }) => (
        <li key={text} className="flex gap-2">
          <Mark />
          {/* A list of what was set aside can be long: whole it stands on the server's page. */}
          <span title={toVisibleText(text)} className="line-clamp-2 min-w-0 flex-1 [overflow-wrap:anywhere]">{toVisibleText(text)}</span>
        </li>
      ))}
      {further > 0 ? (
        <li>
          <TextLink href={`/servers/${serverKey}`}>{further} more</TextLink>
        </li>
      ) : null}
    </ul>
  );
}

const Mark = () => (
  <span className={MEANING_LOOKS.attention.text}>
    <MeaningShape meaning="attention" />
    <span className="sr-only">{MEANING_LOOKS.attention.word}: </span>
  </span>
);

const PAGE_WORDS = { log: 'See the log', tools: 'See the tools', settings: 'See the settings' } as const;

/** The same on the server's page: whole, each with the way to where it shows. */
export const PageWarnings = ({ serverKey, warnings }: ServerWarningsProps) =>
  warnings.map(({ text, page }) => (
    <Callout key={text} meaning="attention" message={text} action={page === null ? undefined : <TextLink href={`/servers/${serverKey}/${page}`}>{PAGE_WORDS[page]}</TextLink>} />
  ));
