import type { Outcome } from '@/lib/calls';
import { Status } from '../ui/status';
import { toOutcomeLook } from './outcome-look';

interface OutcomeStatusProps {
  readonly outcome: Outcome;
  readonly sentAt: number | null;
}

/** How a call stands or ended. */
export const OutcomeStatus = ({ outcome, sentAt }: OutcomeStatusProps) => <Status {...toOutcomeLook(outcome, sentAt)} />;
