import { defineRoute } from '@/app/define-route';
import { PLUMBING_TOOLS } from '@/lib/manifests';

/** Servers and their tools by name, for the command palette. */
export const GET = defineRoute({
  permission: 'servers.see',
  run: async (_request, { runtime }) => {
    const servers = runtime.servers.list().map(({ entry }) => ({
      key: entry.key,
      label: entry.label,
      tools: (runtime.pool.snapshot(entry.key)?.toolList.tools ?? [])
        .filter((tool) => !PLUMBING_TOOLS.has(tool.name))
        .map(({ name, title }) => ({ name, title })),
    }));
    return Response.json({ servers });
  },
});
