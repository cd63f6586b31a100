import { toVisibleText } from '@/lib/core';
import { Callout } from '../../ui/callout';
import type { ToolRowView } from '../views';

/** Says why a tool that was asked for cannot be shown: it was set aside, or it is not in the list. */
export function MissingTool({ name, rows }: { readonly name: string; readonly rows: readonly ToolRowView[] }) {
  const shown = toVisibleText(name);
  const reason = rows.find(({ tool }) => tool.name === name && tool.setAside !== null)?.tool.setAside ?? null;
  if (reason === null) {
    return (
      <Callout
        meaning="attention"
        message={`The server does not list a tool "${shown}" now.`}
        remedy="Read its lists again on the overview, or choose another tool."
      />
    );
  }
  return (
    <Callout
      meaning="attention"
      message={`The tool "${shown}" was set aside and cannot be called: ${toVisibleText(reason).replace(/\.$/, '')}.`}
      remedy="Have its author mend it, then read the lists again on the overview; the other tools can be used."
    />
  );
}
