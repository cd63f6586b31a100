import { toPasted, type ConfiguredServer } from '@/lib/interchange';
import { CONNECTION_FIELDS, remoteEntrySchema, stdioEntrySchema, TRANSPORTS, type TransportKind } from '@/lib/servers';

export type Fields = Readonly<Record<string, unknown>>;

/** What stands in the form and in the field beside it. */
export interface EntryDraft {
  readonly fields: Fields;
  readonly pasted: string;
  /** Rises when the fields were filled from the text: rows of lists begin anew from them. */
  readonly generation: number;
}

const OWN_FIELDS: Record<'stdio' | 'remote', ReadonlySet<string>> = {
  stdio: new Set(Object.keys(stdioEntrySchema.shape)),
  remote: new Set(Object.keys(remoteEntrySchema.shape)),
};

/** The transport that the form is set to: as chosen, else what the rest makes plain. */
export function transportOf(fields: Fields): TransportKind {
  const stated = TRANSPORTS.find((transport) => transport === fields['transport']);
  if (stated !== undefined) return stated;
  if (typeof fields['command'] === 'string' && fields['command'] !== '') return 'stdio';
  const url = fields['url'];
  if (typeof url !== 'string' || url === '') return 'stdio';
  return /^wss?:/i.test(url) ? 'websocket' : 'http';
}

/** What would be saved: what was typed for another kind of transport stays in the form and is left out. */
export function toStated(fields: Fields): Fields {
  const kind = transportOf(fields) === 'stdio' ? 'stdio' : 'remote';
  const other = OWN_FIELDS[kind === 'stdio' ? 'remote' : 'stdio'];
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => value !== undefined && (OWN_FIELDS[kind].has(name) || !other.has(name))),
  );
}

/** The form with one field changed; the text beside it follows. */
export function withField(draft: EntryDraft, name: string, value: unknown): EntryDraft {
  const fields = { ...draft.fields, [name]: value };
  return { ...draft, fields, pasted: toPasted(toStated(fields)) };
}

/** The form filled from a server that was read out of the text; the text stays as it was pasted. */
export const withServer = (draft: EntryDraft, pasted: string, server: ConfiguredServer): EntryDraft => ({
  fields: { ...server.fields, key: server.key },
  pasted,
  generation: draft.generation + 1,
});

/** Which of two ways to reach a server a text names at once. */
export type WayKept = 'command' | 'url';

/** The form with one of two ways alone, and what belongs to it; the text beside it follows. */
export function withWay(draft: EntryDraft, kept: WayKept): EntryDraft {
  const [own, other] = kept === 'command' ? [OWN_FIELDS.stdio, OWN_FIELDS.remote] : [OWN_FIELDS.remote, OWN_FIELDS.stdio];
  const { transport, ...rest } = draft.fields;
  const stated = (transport === 'stdio') === (kept === 'command') ? { transport } : {};
  const fields = { ...stated, ...Object.fromEntries(Object.entries(rest).filter(([name]) => own.has(name) || !other.has(name))) };
  return { fields, pasted: toPasted(toStated(fields)), generation: draft.generation + 1 };
}

/** What the connection depends on, as one text: a verdict holds while it stays the same. */
export function toConnectionMark(fields: Fields): string {
  const connection = Object.entries(toStated(fields)).filter(([name, value]) => CONNECTION_FIELDS.has(name) && value !== '' && value !== undefined);
  return JSON.stringify(connection.sort(([a], [b]) => (a < b ? -1 : 1)));
}
