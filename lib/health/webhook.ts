import { toIso } from '@/lib/core';
import type { StateChange } from './verdict';

/** The secret of the vault that holds the address changes are posted to. */
export const WEBHOOK_SECRET = 'HEALTH_WEBHOOK_URL';

/** What is posted for a change of state; `text` is what chat services show. */
export interface WebhookBody {
  readonly type: 'server.state_changed' | 'test';
  readonly text: string;
  readonly server: string | null;
  readonly from: string | null;
  readonly to: string | null;
  readonly at: string;
  readonly code: string | null;
  readonly message: string | null;
  readonly remediation: string | null;
  /** The server's page. */
  readonly url: string;
}

const toWords = (state: string): string => state.replaceAll('_', ' ');

/** The change in a sentence: `files is failing (it was connected).` */
const describeChange = ({ serverKey, from, to }: Pick<StateChange, 'serverKey'> & { readonly from: string | null; readonly to: string }): string =>
  `${serverKey} is ${toWords(to)}${from === null ? '' : ` (it was ${toWords(from)})`}.`;

export const toWebhookBody = (change: StateChange, origin: string): WebhookBody => ({
  type: 'server.state_changed',
  text: [describeChange(change), change.message, change.remediation === null ? null : `Do this: ${change.remediation}`].filter((part) => part !== null).join(' '),
  server: change.serverKey,
  from: change.from,
  to: change.to,
  at: toIso(change.at),
  code: change.code,
  message: change.message,
  remediation: change.remediation,
  url: `${origin}/servers/${change.serverKey}`,
});

export const toTestBody = (at: number, origin: string): WebhookBody => ({
  type: 'test',
  text: 'Signalbox can post to this address: changes of the state of its servers will come here.',
  server: null, from: null, to: null, at: toIso(at), code: null, message: null, remediation: null,
  url: `${origin}/health`,
});

/** The address that a person wrote, or what is wrong with it. The address itself is a secret: no sentence has it. */
export function parseWebhookAddress(text: string): { readonly ok: true; readonly url: URL } | { readonly ok: false; readonly message: string } {
  const url = URL.parse(text.trim());
  if (url === null) return { ok: false, message: 'This is no address: write it whole, such as https://chat.example/hooks/….' };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { ok: false, message: 'The address has to begin with https:// or http://.' };
  return { ok: true, url };
}
