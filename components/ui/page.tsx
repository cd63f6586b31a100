import type { ReactNode } from 'react';

interface PageHeaderProps {
  /** The page's one first-level heading. */
  readonly title: ReactNode;
  /** The way back to where this belongs, a `TextLink`; shown before the title. */
  readonly parent?: ReactNode;
  /** A state or note beside the title. */
  readonly note?: ReactNode;
  /** The page's one main action. */
  readonly action?: ReactNode;
}

/** The top line of a page; it leaves room on the right for the shell's own tools. */
export function PageHeader({ title, parent, note, action }: PageHeaderProps) {
  return (
    <header className="sticky top-0 z-20 flex min-h-12 shrink-0 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line bg-canvas px-4 py-1 md:flex-nowrap md:pr-(--tools-width)">
      <div className="flex min-h-10 min-w-0 flex-1 flex-wrap items-center gap-x-2 pr-(--tools-width) md:pr-0">
        {parent === undefined ? null : (
          <>
            {parent}
            <span aria-hidden="true" className="text-faint">/</span>
          </>
        )}
        <h1 className="min-w-0 truncate text-lg font-semibold">{title}</h1>
        {note === undefined ? null : <span className="min-w-0 text-sm text-muted">{note}</span>}
      </div>
      {action === undefined ? null : <div className="flex basis-full gap-2 pb-1 md:basis-auto md:pb-0">{action}</div>}
    </header>
  );
}

/** The padding of a page's content under its header. */
export const PageBody = ({ children }: { readonly children: ReactNode }) => (
  <div className="flex flex-col gap-4 p-4">{children}</div>
);

interface SectionProps {
  readonly title: ReactNode;
  /** For links to it. */
  readonly id?: string;
  readonly action?: ReactNode;
  readonly children: ReactNode;
}

/** A titled part of a page. */
export const Section = ({ title, id, action, children }: SectionProps) => (
  <section id={id} className="flex min-w-0 scroll-mt-16 flex-col gap-2">
    <div className="flex min-h-8 items-center justify-between gap-2">
      <h2 className="font-semibold">{title}</h2>
      {action}
    </div>
    {children}
  </section>
);
