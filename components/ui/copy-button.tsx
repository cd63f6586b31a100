'use client';

import { Check, Copy, TriangleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { buttonClasses, type ButtonSize } from './button-classes';
import { copyText } from './copy-text';

interface CopyButtonProps {
  /** What is copied, exactly; a function where making it is worth delaying until it is asked for. */
  readonly text: string | (() => string | Promise<string>);
  /** Names what is copied: "the command". */
  readonly what: string;
  readonly label?: string;
  readonly size?: ButtonSize;
}

type CopyState = 'ready' | 'copied' | 'refused';

const WORDS: Record<CopyState, string | null> = { ready: null, copied: 'copied', refused: 'not copied' };
const ICONS = { ready: Copy, copied: Check, refused: TriangleAlert };

export function CopyButton({ text, what, label = 'copy', size = 'small' }: CopyButtonProps) {
  const [state, setState] = useState<CopyState>('ready');
  useEffect(() => {
    if (state === 'ready') return;
    const timer = setTimeout(() => setState('ready'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = async () => {
    try {
      setState((await copyText(typeof text === 'string' ? text : await text())) ? 'copied' : 'refused');
    } catch {
      setState('refused');
    }
  };
  const Icon = ICONS[state];
  return (
    <button type="button" aria-label={`Copy ${what}`} className={buttonClasses('quiet', size)} onClick={() => void copy()}>
      <Icon size={14} aria-hidden="true" />
      <span role="status">{WORDS[state] ?? label}</span>
    </button>
  );
}
