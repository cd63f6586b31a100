import { printParseErrorCode, visit, type ParseErrorCode } from 'jsonc-parser';
import { isObject, type Json, type JsonObject } from './json';
import { err, ok, type Result } from './result';

/** What is wrong with a text of JSON, and where; line and column count from 1. */
export interface JsonTextProblem {
  readonly message: string;
  readonly line: number;
  readonly column: number;
}

const SENTENCES: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This word is no JSON: texts stand in double quotes; true, false and null stand alone.',
  InvalidNumberFormat: 'This number is not written as JSON writes numbers.',
  PropertyNameExpected: 'The name of a field, in double quotes, is wanted here.',
  ValueExpected: 'A value is wanted here.',
  ColonExpected: 'A colon is wanted between a name and its value.',
  CommaExpected: 'A comma is wanted between two parts.',
  CloseBraceExpected: 'The JSON is cut off: a closing brace } is missing.',
  CloseBracketExpected: 'The JSON is cut off: a closing bracket ] is missing.',
  EndOfFileExpected: 'The JSON ends before this: take out what follows.',
  InvalidCommentToken: 'Comments do not belong in JSON: take this out.',
  UnexpectedEndOfString: 'This text is cut off: its closing quote is missing.',
  UnexpectedEndOfNumber: 'This number is cut off.',
  InvalidEscapeCharacter: 'This backslash begins no escape that JSON knows.',
  InvalidCharacter: 'A text has a control character in it: write it as an escape, such as \\n.',
};

/**
 * Reads JSON without losing anything on the way: a field named twice and a number that cannot be sent as exactly as it
 * is written are problems, not silent changes.
 */
export function readJsonText(text: string): Result<Json, JsonTextProblem> {
  let first: { offset: number; message: string } | undefined;
  const complain = (offset: number, message: string) => {
    if (first === undefined) first = { offset, message };
  };
  const names: Set<string>[] = [];
  try {
    visit(
      text,
      {
        onObjectBegin: () => void names.push(new Set()),
        onObjectEnd: () => void names.pop(),
        onObjectProperty: (name, offset) => {
          const known = names.at(-1);
          if (known?.has(name) === true) complain(offset, `The field "${name}" stands here a second time: keep one of them.`);
          known?.add(name);
        },
        onLiteralValue: (value, offset, length) => {
          const literal = text.slice(offset, offset + length);
          if (typeof value === 'number' && !isExactNumber(literal)) {
            complain(offset, `${literal} cannot be sent exactly as a number: it would become ${String(Number(literal))}. Write it as text if the server takes that.`);
          }
        },
        onError: (code: ParseErrorCode, offset) => complain(offset, SENTENCES[printParseErrorCode(code)] ?? 'This is not JSON.'),
      },
      { disallowComments: true },
    );
    if (first === undefined) return ok(JSON.parse(text) as Json); // JSON.parse answers JSON
  } catch (error) {
    complain(0, error instanceof RangeError ? 'The JSON is nested too deep to be read here.' : 'This is not JSON.');
  }
  return err(toProblem(text, first ?? { offset: 0, message: 'This is not JSON.' }));
}

/** The same, for the arguments of a call: an object. */
export function readArgumentsText(text: string): Result<JsonObject, JsonTextProblem> {
  const read = readJsonText(text);
  if (!read.ok) return read;
  if (!isJsonObject(read.value)) return err({ message: 'The arguments are an object: write { } around named fields.', line: 1, column: 1 });
  return ok(read.value);
}

export const isJsonObject = (value: Json): value is JsonObject => isObject(value);

/** Whether the number that a literal becomes is the number that was written. */
export function isExactNumber(literal: string): boolean {
  const value = Number(literal);
  if (!Number.isFinite(value)) return false;
  if (/^-?\d+$/.test(literal)) return BigInt(literal) === BigInt(value);
  const digits = literal.replace(/[eE].*$/, '').replace(/[-.]/g, '').replace(/^0+|0+$/g, '');
  return digits.length <= 17;
}

function toProblem(text: string, { offset, message }: { offset: number; message: string }): JsonTextProblem {
  const before = text.slice(0, offset).split('\n');
  return { message, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
