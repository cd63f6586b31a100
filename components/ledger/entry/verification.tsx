import { toVisibleText } from '@/lib/core';
import { LinkButton } from '../../ui/link-button';

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
    <ul aria-label="Check whether it was carried out" className="flex flex-wrap gap-2">
      {tools.map((tool) => (
        <li key={tool}>
          <LinkButton size="small" href={`/servers/${serverKey}/tools?tool=${encodeURIComponent(tool)}`}>
            Check with {toVisibleText(tool)}
          </LinkButton>
        </li>
      ))}
    </ul>
  );
}
