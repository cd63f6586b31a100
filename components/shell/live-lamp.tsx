'use client';

import { useEffect, useRef } from 'react';
import { useLiveStatus } from '@/lib/live/client';
import { useAnnounce } from '../ui/announcer';
import { cx } from '../ui/cx';
import { MEANING_LOOKS, type Meaning } from '../ui/meaning';
import { MeaningShape } from '../ui/meaning-shape';

const LOOKS: Record<ReturnType<typeof useLiveStatus>, { readonly meaning: Meaning; readonly word: string; readonly sentence: string }> = {
  connecting: { meaning: 'working', word: 'joining', sentence: 'Joining the live stream.' },
  live: { meaning: 'good', word: 'live', sentence: 'Live: what happens shows at once.' },
  lost: {
    meaning: 'attention',
    word: 'stale',
    sentence: 'The live stream is lost: what you see may be out of date. It is being joined again.',
  },
};

/** Whether what is in view is kept up to date; its loss and return are also said aloud. */
export function LiveLamp() {
  const state = useLiveStatus();
  const announce = useAnnounce();
  const wasLost = useRef(false);
  useEffect(() => {
    if (state === 'lost') announce(LOOKS.lost.sentence);
    if (state === 'live' && wasLost.current) announce('The live stream is back.');
    if (state !== 'connecting') wasLost.current = state === 'lost';
  }, [state, announce]);
  const { meaning, word, sentence } = LOOKS[state];
  const look = MEANING_LOOKS[meaning];
  return (
    <span title={sentence} className={cx('inline-flex h-8 items-center gap-1.5 px-1 text-sm', look.text)}>
      <MeaningShape meaning={meaning} />
      <span className="max-md:sr-only">{word}</span>
    </span>
  );
}
