import type { DeliveryView } from '@/lib/health';
import { Moment } from '../ui/relative-time';
import { Status } from '../ui/status';

/** How the last posts of changes went. */
export function Deliveries({ deliveries }: { readonly deliveries: readonly DeliveryView[] }) {
  if (deliveries.length === 0) return <p className="text-sm text-muted">Nothing was posted yet.</p>;
  return (
    <ul aria-label="The last posts" className="flex flex-col gap-1 text-sm">
      {deliveries.map(({ id, at, ok, attempts, message, isTest }) => (
        <li key={id} className="flex flex-wrap gap-x-3">
          <Moment at={at} className="text-muted" />
          <Status meaning={ok ? 'good' : 'bad'} word={ok ? 'posted' : 'not posted'} />
          <span>{message}{isTest ? ' (a test)' : ''}{attempts > 1 ? ` Tried ${attempts} times.` : ''}</span>
        </li>
      ))}
    </ul>
  );
}
