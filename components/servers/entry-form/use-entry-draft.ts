'use client';

import { useMemo, useState } from 'react';
import type { FieldError } from '@/lib/core';
import { readPasted, toPasted, type ConfiguredServer, type ReadProblem } from '@/lib/interchange';
import { ENTRY_FIELDS, isServerKey, KEY_RULE, parseServerEntry } from '@/lib/servers';
import { toStated, transportOf, withField, withServer, type EntryDraft, type Fields } from './entry-draft';

interface Reading {
  readonly problem: ReadProblem | null;
  readonly servers: readonly ConfiguredServer[];
  readonly chosen: string | null;
  readonly notes: readonly string[];
}

const NOTHING: Reading = { problem: null, servers: [], chosen: null, notes: [] };

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
      return setReading({ problem: findContradiction(first), servers: read.value.servers, chosen: first.name, notes: toNotes(first, read.value.warnings) });
    },
    choose: (server: ConfiguredServer) => {
      setDraft((before) => withServer(before, before.pasted, server));
      setTouched(new Set(Object.keys(server.fields)));
      setReading((before) => ({ ...before, problem: findContradiction(server), chosen: server.name, notes: toNotes(server, []) }));
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
function findContradiction({ entry, fields }: ConfiguredServer): ReadProblem | null {
  const stated = toStated(fields);
  const lost = entry.ok ? [] : entry.error.filter(({ field }) => field in fields && !(field in stated));
  if (lost.length === 0) return null;
  const taken = 'command' in stated ? 'command' : 'url';
  return { message: `${lost.map(({ message }) => message).join(' ')} The form was filled with its ${taken} alone.`, line: null, column: null };
}

const toNotes = (server: ConfiguredServer, warnings: readonly string[]): string[] => [
  ...warnings,
  ...(server.ignored.length === 0 ? [] : [`Not taken over: ${server.ignored.join(', ')}.`]),
  ...(server.name === server.key ? [] : [`"${server.name}" is no key, so the key is ${server.key}.`]),
];
