'use client';

import type { Route } from 'next';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import type { Finding } from '@/lib/manifests';
import { Button } from '../../ui/button';
import { FailureNotice } from '../../ui/failure-notice';
import { LinkButton } from '../../ui/link-button';
import { Section } from '../../ui/page';
import { useToast } from '../../ui/toast';
import type { AcceptReview, Failure } from '../action';
import { ToolTicks } from '../tool-ticks';
import type { ToolRowView } from '../views';

interface ReviewPanelProps {
  readonly serverKey: string;
  readonly rows: readonly ToolRowView[];
  readonly findings: Readonly<Record<string, readonly Finding[]>>;
  /** What is exposed now; null before the first review. */
  readonly exposed: 'all' | readonly string[] | null;
  readonly readOnly: boolean;
  readonly acceptReview: AcceptReview;
}

/** A person looks at the tools as they are, ticks what is exposed, and accepts them. */
export function ReviewPanel({ serverKey, rows, findings, exposed, readOnly, acceptReview }: ReviewPanelProps) {
  const router = useRouter();
  const toast = useToast();
  const tools = rows.filter(({ tool }) => tool.setAside === null && !tool.plumbing);
  const [ticked, setTicked] = useState<ReadonlySet<string>>(
    () => new Set(tools.map(({ tool }) => tool.name).filter((name) => exposed === null || exposed === 'all' || exposed.includes(name))),
  );
  const [pending, setPending] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const href = `/servers/${serverKey}/tools`;

  const accept = async () => {
    setPending(true);
    setFailure(null);
    try {
      const seen = rows.flatMap(({ hash }) => (hash === null ? [] : [hash]));
      // Everything ticked where everything was exposed stays "all": tools that come later are exposed once accepted.
      const tools = exposed === 'all' && ticked.size === rows.filter(({ tool }) => tool.setAside === null && !tool.plumbing).length ? null : [...ticked];
      const answer = await acceptReview({ key: serverKey, tools, seen });
      if (!answer.ok) return setFailure(answer);
      toast({ meaning: 'good', text: `The tools of ${serverKey} were accepted; ${ticked.size} are exposed.` });
      // Addresses with a key are made at run time, beyond what typed routes can check.
      return router.push(href as Route);
    } finally {
      setPending(false);
    }
  };

  return (
    <Section title="Review its tools">
      <p className="max-w-prose text-muted">
        Those that stay ticked are offered to packs, models, the gateway and the command line. Accepting takes the fingerprint of every tool as it is now; one that changes later is held until someone has seen the difference.
      </p>
      <ToolTicks
        tools={tools.map(({ tool, description, pin }) => ({ name: tool.name, description, risk: tool.risk, available: tool.available, reason: tool.reason, pin, findings: findings[tool.name] ?? [] }))}
        ticked={ticked}
        onChange={setTicked}
      />
      {failure === null ? null : <FailureNotice failure={failure} />}
      <div className="flex flex-wrap items-center gap-2">
        <Button variant="primary" pending={pending} disabled={readOnly} onClick={() => void accept()}>
          {`Accept, and expose ${ticked.size} ${ticked.size === 1 ? 'tool' : 'tools'}`}
        </Button>
        <LinkButton href={href}>Not now</LinkButton>
        {readOnly ? <span className="text-sm text-muted">This server stands in a file: its tools are chosen there.</span> : null}
      </div>
    </Section>
  );
}
