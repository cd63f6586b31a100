import type { Risk } from '@/lib/manifests';
import { Badge } from '../ui/badge';
import type { Meaning } from '../ui/meaning';

const MEANINGS: Record<Risk, Meaning | undefined> = { 'reads only': undefined, 'changes things': undefined, 'may destroy': 'attention', 'not stated': undefined };

/** What a tool may do, as its server says; a promise of the server's, not a fact. */
export const RiskBadge = ({ risk }: { readonly risk: Risk }) => (
  <Badge meaning={MEANINGS[risk]} title="As the server says">
    {risk === 'not stated' ? 'risk not stated' : risk}
  </Badge>
);
