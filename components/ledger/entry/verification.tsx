import { toVisibleText } from '@/lib/core';
import { TextLink } from '../../ui/text-link';

interface VerificationProps {
  readonly serverKey: string;
  /** Tools that only read, by which a person can see whether the call was carried out. */
  readonly tools: readonly string[];
}

/** What to look at before a call that may have happened is made again. */
export function Verification({ serverKey, tools }: VerificationProps) {
  if (tools.length === 0) {
    return (
      <p className="max-w-prose text-sm text-muted">
        The server names no tool to check with: look where the effect would show, or name one under verify_with in its settings.
      </p>
    );
  }
  return (
    <p className="max-w-prose text-sm">
      <em className="text-muted">Check with:</em>{' '}
      {tools.map((tool, index) => (
        <span key={tool}>
          {index > 0 ? ', ' : null}
          <TextLink href={`/servers/${serverKey}/tools?tool=${encodeURIComponent(tool)}`} className="font-mono text-xs">
            {toVisibleText(tool)}
          </TextLink>
        </span>
      ))}
    </p>
  );
}
