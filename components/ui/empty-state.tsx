import type { ReactNode } from 'react';

interface EmptyStateProps {
  readonly title: string;
  /** What this is for. */
  readonly children?: ReactNode;
  /** The first step, or the press that clears the filter. */
  readonly action?: ReactNode;
}

/** A list with nothing in it: what it is for and the first step. */
export function EmptyState({ title, children, action }: EmptyStateProps) {
  return (
    <div className="flex flex-col items-start gap-3 border border-dashed border-line bg-surface p-6">
      <h2 className="text-lg font-semibold">{title}</h2>
      {children === undefined ? null : <div className="max-w-prose text-muted">{children}</div>}
      {action === undefined ? null : <div className="flex flex-wrap gap-2">{action}</div>}
    </div>
  );
}
