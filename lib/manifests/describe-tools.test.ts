import { describe, expect, it } from 'vitest';
import type { ServerEntry } from '@/lib/servers';
import { describeTools, mendToolList } from '.';

const entry: ServerEntry = {
  key: 'fs' as ServerEntry['key'], label: 'fs', enabled: true, connect: 'use', transport: 'stdio', era: 'auto', prefix: true, aliases: {}, tools: null, limits: {},
  required: false, external: false, trusted: true, instructions: 'include', verify_with: {}, share: false, reads_errors: true, tags: [], command: 'x', args: [], env: {}, env_allow: [],
};

describe('describeTools', () => {
  it('keeps both definitions of a doubled name to be shown, exposes neither, and leaves siblings as they are', () => {
    const toolList = mendToolList([
      { name: 'good', description: 'one', inputSchema: { type: 'object' } },
      { name: 'other', inputSchema: { type: 'object' } },
      { name: 'good', description: 'two', inputSchema: { type: 'object' } },
    ]);
    const views = describeTools({ entry, toolList, manifest: null, exposedNameOf: (tool) => `fs__${tool}` });
    expect(views.map(({ name, exposed }) => [name, exposed])).toEqual([['other', true], ['good', false], ['good', false]]);
    expect(views.slice(1).map(({ definition }) => definition)).toEqual([expect.stringContaining('"one"'), expect.stringContaining('"two"')]);
    expect(views[0]?.definition).toBeUndefined();
  });

  it('cuts a definition that is long', () => {
    const toolList = mendToolList([{ name: 'big', description: 'x'.repeat(100_000) }]);
    const [view] = describeTools({ entry, toolList, manifest: null, exposedNameOf: (tool) => tool });
    expect(view?.definition?.length).toBeLessThan(5_000);
  });
});
