'use client';

import type { Route } from 'next';
import { useRouter } from 'next/navigation';
import { useState } from 'react';
import { Button } from '../ui/button';
import { useToast } from '../ui/toast';
import type { PutSample } from './action';

/** The first thing to press on a new install: a harmless file, and the form of a tool that looks at it. */
export function TrySample({ serverKey, putSample }: { readonly serverKey: string; readonly putSample: PutSample }) {
  const router = useRouter();
  const toast = useToast();
  const [pending, setPending] = useState(false);
  const tryIt = async () => {
    setPending(true);
    try {
      const answer = await putSample({ key: serverKey });
      if (!answer.ok) return toast({ meaning: 'bad', text: answer.message, remedy: answer.remedy });
      const { path, tool } = answer.data;
      // Addresses with a tool and a file are made at run time, beyond what typed routes can check.
      return router.push(`/servers/${serverKey}/tools?tool=${encodeURIComponent(tool)}&file=${encodeURIComponent(path)}` as Route);
    } finally {
      setPending(false);
    }
  };
  return (
    <p className="flex flex-wrap items-center gap-2 text-sm">
      <Button size="small" variant="primary" pending={pending} onClick={() => void tryIt()}>
        Try it
      </Button>
      <span className="text-muted">on a harmless sample file: its form opens, filled in.</span>
    </p>
  );
}
