import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser';
import { err, ok, toVisibleText, type Json, type Result } from '@/lib/core';
import type { ReadProblem } from './configuration';
import { positionAt } from './text-position';

/**
 * JSON as people keep it: comments and trailing commas pass. Anything else that is wrong is a problem with its
 * line and column and what was expected there; a name that stands twice in one object names both lines. Never throws.
 */
export function readJson(text: string): Result<Json, ReadProblem> {
  try {
    const errors: ParseError[] = [];
    const root = parseTree(text, errors, { allowTrailingComma: true });
    const [first] = errors;
    if (first) return err(describeError(text, first));
    if (!root) return err({ message: 'There is no JSON here.', line: 1, column: 1 });
    const repeated = findRepeatedName(root, text);
    return repeated ? err(repeated) : ok(toValue(root));
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    // The parser and the walk recurse: only text made to exhaust the stack comes here.
    return err({ message: 'The JSON is nested too deeply to be a configuration.', line: null, column: null });
  }
}

const EXPECTED: Readonly<Record<string, string>> = {
  PropertyNameExpected: 'a name in double quotes',
  ValueExpected: 'a value',
  ColonExpected: '":"',
  CommaExpected: '"," or the end of the object or list',
  CloseBraceExpected: '"," or "}"',
  CloseBracketExpected: '"," or "]"',
  UnexpectedEndOfString: 'the closing quote of the text',
  UnexpectedEndOfComment: 'the end of the comment, "*/"',
  UnexpectedEndOfNumber: 'the rest of the number',
};

const UNREADABLE: Readonly<Record<string, string>> = {
  InvalidSymbol: 'This is no JSON value: write text in double quotes, a number, true, false or null.',
  InvalidNumberFormat: 'This is no number as JSON writes them.',
  EndOfFileExpected: 'The JSON ends before this: take out what follows, or put both into one object.',
  InvalidUnicode: 'The escape after "\\u" is not four hexadecimal digits.',
  InvalidEscapeCharacter: 'There is no such escape in JSON: write "\\\\" where a backslash is meant.',
  InvalidCharacter: 'A character stands here that JSON cannot have inside text: write it as an escape, such as "\\n".',
  InvalidCommentToken: 'A comment is not allowed here.',
};

function describeError(text: string, error: ParseError): ReadProblem {
  const code = printParseErrorCode(error.error);
  const end = text.trimEnd().length;
  const expected = EXPECTED[code];
  const atEnd = error.offset + error.length >= end;
  if (expected !== undefined && atEnd) {
    return { message: `The JSON is cut off: it ends where ${expected} was expected.`, ...positionAt(text, end) };
  }
  const broken = expected === undefined ? UNREADABLE[code] : `The JSON is broken here: ${expected} was expected.`;
  return { message: broken ?? 'This is no JSON.', ...positionAt(text, error.offset) };
}

function findRepeatedName(node: Node, text: string): ReadProblem | null {
  if (node.type === 'object') {
    const lines = new Map<string, number>();
    for (const property of node.children ?? []) {
      const [name] = property.children ?? [];
      if (typeof name?.value !== 'string') continue;
      const { line, column } = positionAt(text, name.offset);
      const earlier = lines.get(name.value);
      if (earlier !== undefined) {
        const twice = `"${toVisibleText(name.value)}" stands twice in one object, on line ${earlier} and on line ${line}.`;
        return { message: `${twice} Keep one of them.`, line, column };
      }
      lines.set(name.value, line);
    }
  }
  for (const child of node.children ?? []) {
    const repeated = findRepeatedName(child, text);
    if (repeated) return repeated;
  }
  return null;
}

/** Own members throughout, a name such as `__proto__` included. */
function toValue(node: Node): Json {
  if (node.type === 'array') return (node.children ?? []).map(toValue);
  if (node.type === 'object') {
    return Object.fromEntries(
      (node.children ?? []).flatMap(({ children }): [string, Json][] => {
        const [name, value] = children ?? [];
        return name && value ? [[String(name.value), toValue(value)]] : [];
      }),
    );
  }
  const scalar: unknown = node.value;
  return typeof scalar === 'string' || typeof scalar === 'number' || typeof scalar === 'boolean' ? scalar : null;
}
