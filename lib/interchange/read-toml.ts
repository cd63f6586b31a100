import { parse, TomlError } from 'smol-toml';
import { err, isObject, ok, type Json, type Result } from '@/lib/core';
import type { ReadProblem } from './configuration';

/** TOML as JSON (dates become text), or the problem with its line and column. Never throws. */
export function readToml(text: string): Result<Json, ReadProblem> {
  try {
    return ok(toJson(parse(text)));
  } catch (cause) {
    if (cause instanceof TomlError) {
      const [summary = cause.message] = cause.message.split('\n');
      const message = `${summary.replace(/^Invalid TOML document: /, 'The TOML is broken here: ')}.`;
      return err({ message, line: cause.line, column: cause.column });
    }
    if (cause instanceof RangeError) {
      return err({ message: 'The TOML is nested too deeply to be a configuration.', line: null, column: null });
    }
    throw cause;
  }
}

function toJson(value: unknown): Json {
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return value.map(toJson);
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, toJson(member)]));
  if (typeof value === 'bigint') return Number(value);
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? value : null;
}
