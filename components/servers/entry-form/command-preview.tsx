import { toVisibleText } from '@/lib/core';

/** What will be started, exact and whole: a person sees it before it first runs. */
export function CommandPreview({ command, args }: { readonly command: string; readonly args: readonly string[] }) {
  if (command === '') return null;
  return (
    <figure className="flex flex-col gap-1 rounded-sm border border-line bg-sunken p-2">
      <figcaption className="text-sm text-muted">This program is started on the console’s machine, with the rights of the console, exactly so:</figcaption>
      <ol aria-label="The command as it is started" className="font-mono text-xs [overflow-wrap:anywhere] whitespace-pre-wrap">
        <li>{toVisibleText(command)}</li>
        {args.map((argument, index) => (
          // Arguments have no identity but their place.
          <li key={index} className="pl-4">
            {/^[\w@%+=:,./-]+$/.test(argument) ? argument : toVisibleText(JSON.stringify(argument))}
          </li>
        ))}
      </ol>
    </figure>
  );
}
