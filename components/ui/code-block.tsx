import { toVisibleText } from '@/lib/core';
import { CopyButton } from './copy-button';
import { cx } from './cx';

interface CodeBlockProps {
  readonly text: string;
  /** Names the block: "the first lines of stderr". */
  readonly label: string;
  readonly copyable?: boolean;
  /** As tall as its text without one. */
  readonly scrolls?: boolean;
}

/** Text of strangers in mono, wrapped, with what cannot be seen written out; the copy is the text as it is. */
export function CodeBlock({ text, label, copyable = true, scrolls = true }: CodeBlockProps) {
  return (
    <div className="relative rounded-sm border border-line bg-sunken">
      <pre
        tabIndex={0}
        role="region"
        aria-label={label}
        className={cx('p-2 text-xs whitespace-pre-wrap [overflow-wrap:anywhere]', copyable && 'pr-20', scrolls && 'max-h-96 overflow-y-auto')}
      >
        {toVisibleText(text)}
      </pre>
      {copyable ? (
        <div className="absolute top-1 right-1 rounded-sm bg-sunken">
          <CopyButton text={text} what={label} />
        </div>
      ) : null}
    </div>
  );
}

/** An id, a key or a name from elsewhere within a line. */
export const Code = ({ children, className }: { readonly children: string; readonly className?: string }) => (
  <code className={cx('text-xs [overflow-wrap:anywhere]', className)}>{toVisibleText(children)}</code>
);
