import type { FieldError } from '@/lib/core';
import { explainFailure, type ConnectFailure } from '@/lib/pool';
import type { ServerEntry } from '@/lib/servers';

/** A configuration that could not be made complete: each field with what is wrong and what to write instead. */
export function explainUnresolved(entry: ServerEntry, errors: readonly FieldError[]): ConnectFailure {
  const sentences = errors.map(({ field, message }) => (message.includes(field) ? message : `${field}: ${message}`));
  const code = errors.some(({ message }) => /\b(?:variable|secret)\b/.test(message)) ? 'variable_unresolved' : 'config_invalid';
  const failure = explainFailure(code, { stage: 'config', server: entry.key, evidence: { detail: sentences.join('\n') } });
  return { ...failure, message: sentences.join(' ') };
}
