'use client';

import { useSelectedLayoutSegment } from 'next/navigation';
import { Tabs } from '../ui/tabs';

interface ServerTabsProps {
  readonly serverKey: string;
  readonly counts: { readonly tools: number | null; readonly resources: number; readonly prompts: number };
  readonly manage: boolean;
  readonly seesTraffic: boolean;
}

/** The parts of a server's page, each with its own address. */
export function ServerTabs({ serverKey, counts, manage, seesTraffic }: ServerTabsProps) {
  const current = useSelectedLayoutSegment() ?? 'overview';
  const base = `/servers/${serverKey}`;
  const note = (count: number | null) => (count === null ? undefined : String(count));
  return (
    <Tabs
      label={`Parts of ${serverKey}`}
      current={current}
      tabs={[
        { key: 'overview', label: 'Overview', href: base },
        { key: 'tools', label: 'Tools', href: `${base}/tools`, note: note(counts.tools) },
        { key: 'resources', label: 'Resources', href: `${base}/resources`, note: note(counts.resources) },
        { key: 'prompts', label: 'Prompts', href: `${base}/prompts`, note: note(counts.prompts) },
        { key: 'log', label: 'Log', href: `${base}/log` },
        ...(seesTraffic ? [{ key: 'traffic', label: 'Traffic', href: `${base}/traffic` }] : []),
        { key: 'health', label: 'Health', href: `${base}/health` },
        { key: 'settings', label: manage ? 'Settings' : 'Configuration', href: `${base}/settings` },
      ]}
    />
  );
}
