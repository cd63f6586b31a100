'use client';

import { Button } from '../ui/button';
import { Callout } from '../ui/callout';

interface PageFailureProps {
  /** Finds the failure in the log of the console. */
  readonly digest: string | undefined;
  readonly onRetry: () => void;
}

/** A page that could not be made: what, and try again. */
export const PageFailure = ({ digest, onRetry }: PageFailureProps) => (
  <div role="alert">
    <Callout
      meaning="bad"
      message="This page could not be shown: the console failed while making it. Nothing that was saved is lost."
      remedy={
        digest === undefined
          ? 'Try again; if it stays so, look at what the console printed in its terminal.'
          : `Try again; if it stays so, look for ${digest} in what the console printed in its terminal.`
      }
      action={<Button onClick={onRetry}>Try again</Button>}
    />
  </div>
);
