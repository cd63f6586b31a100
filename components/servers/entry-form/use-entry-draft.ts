'use client';

import { useMemo, useState } from 'react';
import type { FieldError } from '@/lib/core';
import { readPasted, toPasted, type ConfiguredServer, type ReadProblem } from '@/lib/interchange';
import { ENTRY_FIELDS, isServerKey, KEY_RULE, parseServerEntry } from '@/lib/servers';
import { toStated, transportOf, withField, withServer, withWay, type EntryDraft, type Fields, type WayKept } from './entry-draft';

/** What a text says that no server can be: it stays refused until a person chose. */
export interface Contradiction {
  readonly message: string;
  readonly ways: readonly WayKept[];
}

interface Reading {
  readonly problem: ReadProblem | null;
  readonly contradiction: Contradiction | null;
  readonly servers: readonly ConfiguredServer[];
  readonly chosen: string | null;
  readonly notes: readonly string[];
}

const NOTHING: Reading = { problem: null, contradiction: null, servers: [], chosen: null, notes: [] };

/** The form and the text beside it, each filling the other; what was typed is never lost to an error. */
export function useEntryDraft(initial: Fields) {
  const [draft, setDraft] = useState<EntryDraft>(() => ({ fields: initial, pasted: Object.keys(initial).length === 0 ? '' : toPasted(toStated(initial)), generation: 0 }));
  const [given, setGiven] = useState(draft.fields);
  const [reading, setReading] = useState<Reading>(NOTHING);
  const [touched, setTouched] = useState<ReadonlySet<string>>(new Set());
  const [asked, setAsked] = useState(false);
  const [told, setTold] = useState<readonly FieldError[]>([]);

  // With the transport that the form is set to, so that each missing part is an error of its own field.
  const stated = useMemo(() => ({ ...toStated(draft.fields), transport: transportOf(draft.fields) }), [draft.fields]);
  const errors = useMemo(() => listErrors(stated), [stated]);

  const errorOf = (name: string): string => {
    const own = (error: FieldError) => error.field === name || error.field.startsWith(`${name}.`);
    const root = name.split('.')[0] ?? name;
    const local = asked || touched.has(root) ? errors.filter(own) : [];
    return [...new Set([...local, ...told.filter(own)].map((error) => error.message))].join(' ');
  };

  return {
    draft,
    stated,
    /** Nothing was changed since the form was filled or saved: its test is one of the server as it is saved. */
    isAsGiven: draft.fields === given,
    saved: () => setGiven(draft.fields),
    reading,
    errors,
    /** Those that no field shows, once somebody asked. */
    others: (asked ? [...errors, ...told] : told).filter((error) => !ENTRY_FIELDS.has(error.field.split('.')[0] ?? '')),
    errorOf,
    /** From now on every error is shown. */
    ask: () => setAsked(true),
    tell: setTold,
    set: (name: string, value: unknown) => {
      setDraft((before) => withField(before, name, value));
      setTouched((before) => new Set(before).add(name));
      setTold([]);
      // Another field settles nothing of it; a transport that is chosen does.
      setReading(({ contradiction }) => ({ ...NOTHING, contradiction: name === 'transport' ? null : contradiction }));
    },
    keep: (way: WayKept) => {
      setDraft((before) => withWay(before, way));
      setTold([]);
      setReading(NOTHING);
    },
    paste: (text: string) => {
      setTold([]);
      if (text.trim() === '') {
        setDraft((before) => ({ ...before, pasted: text }));
        return setReading(NOTHING);
      }
      const read = readPasted(text);
      if (!read.ok) {
        setDraft((before) => ({ ...before, pasted: text }));
        return setReading({ ...NOTHING, problem: read.error });
      }
      const [first] = read.value.servers;
      setDraft((before) => withServer(before, text, first));
      setTouched(new Set(Object.keys(first.fields)));
      return setReading({ problem: null, contradiction: findContradiction(first), servers: read.value.servers, chosen: first.name, notes: toNotes(first, read.value.warnings) });
    },
    choose: (server: ConfiguredServer) => {
      setDraft((before) => withServer(before, before.pasted, server));
      setTouched(new Set(Object.keys(server.fields)));
      setReading((before) => ({ ...before, contradiction: findContradiction(server), chosen: server.name, notes: toNotes(server, []) }));
    },
  };
}

function listErrors(stated: Fields): readonly FieldError[] {
  const parsed = parseServerEntry(stated);
  if (parsed.ok) return [];
  // Without a command or a url the rest of the entry is not looked at; a bad key is bad all the same.
  const key = stated['key'];
  const keyIsBad = typeof key === 'string' && key !== '' && !isServerKey(key) && !parsed.error.some(({ field }) => field === 'key');
  return keyIsBad ? [...parsed.error, { field: 'key', message: `Write another key: ${KEY_RULE}.` }] : parsed.error;
}

/** What the text says and the form cannot hold, such as a url beside a command. */
function findContradiction({ entry, fields }: ConfiguredServer): Contradiction | null {
  const stated = toStated(fields);
  const lost = entry.ok ? [] : entry.error.filter(({ field }) => field in fields && !(field in stated));
  if (lost.length === 0) return null;
  const ways = (['command', 'url'] as const).filter((way) => way in fields);
  const taken = 'command' in stated ? 'command' : 'url';
  return { message: `${lost.map(({ message }) => message).join(' ')} The form was filled with its ${taken} alone.`, ways: ways.length === 0 ? [taken] : ways };
}

const toNotes = (server: ConfiguredServer, warnings: readonly string[]): string[] => [
  ...warnings,
  ...(server.ignored.length === 0 ? [] : [`Not taken over: ${server.ignored.join(', ')}.`]),
  ...(server.name === server.key ? [] : [`"${server.name}" is no key, so the key is ${server.key}.`]),
];
