import { hasHiddenText, toVisibleText } from '@/lib/core';
import { isSecretParameter } from './secret-parameter';
import type { ListedTool } from './tool-list';
import { isWireObject, MAX_DEPTH } from './wire-json';

export type FindingKind =
  | 'instructions'
  | 'hidden_characters'
  | 'terminal_codes'
  | 'look_alike_name'
  | 'secret_asked'
  | 'other_server_named';

/** Something in a tool's texts that a person should see before accepting it. A warning, never a verdict. */
export interface Finding {
  readonly kind: FindingKind;
  /** `name`, `description`, or a path into the schema. */
  readonly where: string;
  /** The text that raised it, made visible, at most `QUOTE_LENGTH` characters. */
  readonly quote: string;
}

export interface FindingContext {
  /** Tools of other servers, by their own names, with the key of their server. */
  readonly otherTools: readonly { readonly serverKey: string; readonly tool: string }[];
}

const QUOTE_LENGTH = 240;
/** A hostile schema must not make the page long. */
const MAX_FINDINGS = 20;

/** Orders to a model: to drop other orders, to hide something, to do something first, in a system's voice. */
const INSTRUCTIONS = anyOf([
  /\b(?:ignore|disregard|forget)\b[^.\n]{0,40}\b(?:previous|prior|above|earlier|other|all)\b/,
  /\bdo(?:n't| not)\s+(?:tell|mention|show|inform|reveal)\b[^.\n]{0,40}\b(?:user|anyone|person)/,
  /\b(?:before|after|instead of)\s+(?:using|calling|running|invoking)\s+(?:this|any|other|another)\b/,
  /\byou\s+(?:must|should|have to|need to)\s+(?:always\s+|first\s+|never\s+)?(?:read|call|send|include|pass|run|execute|open|fetch)\b/,
  /<\/?(?:important|system|instructions?|secret)>/,
  /\bsystem prompt\b/,
  /\bwithout (?:telling|asking|informing)\b/,
]);

/** Files that hold keys, and keys or passwords that are asked for; a tool may well speak of passwords otherwise. */
const SECRET_TEXT = anyOf([
  /(?<!\w)\.(?:ssh|aws|kube|netrc|npmrc|env)\b/,
  /\bid_(?:rsa|ed25519)\b/,
  /\b(?:your|the user's|provide|include|send|enter|give|contents of)\b[^.\n]{0,40}\b(?:(?:api|private|access)[ _-]?key|password|credential|secret)/,
]);

const TERMINAL_CODES = /[\u001B\u009B]/;
/** Letters of other scripts that pass for Latin ones. */
const LOOK_ALIKE = /[\u0370-\u03FF\u0400-\u04FF\u0530-\u058F\u13A0-\u13FF\uFF01-\uFF5E]/;

function anyOf(patterns: readonly RegExp[]): RegExp {
  return new RegExp(patterns.map(({ source }) => source).join('|'), 'i');
}

/** What in a tool's name, description and schema a person should look at, with the text that raised it. */
export function findingsOf(tool: ListedTool, context: FindingContext = { otherTools: [] }): readonly Finding[] {
  const findings: Finding[] = [];
  const add = (kind: FindingKind, where: string, text: string, at = 0) => {
    if (findings.length < MAX_FINDINGS) findings.push({ kind, where, quote: quoteAround(text, at) });
  };
  for (const { where, text, isName, isSecret } of textsOf(tool)) {
    const instruction = INSTRUCTIONS.exec(text);
    if (instruction) add('instructions', where, text, instruction.index);
    if (TERMINAL_CODES.test(text)) add('terminal_codes', where, text, text.search(TERMINAL_CODES));
    else if (hasHiddenText(text)) add('hidden_characters', where, text, firstHiddenIndex(text));
    if (isName && /[A-Za-z]/.test(text) && LOOK_ALIKE.test(text)) add('look_alike_name', where, text);
    const secretAt = isSecret ? 0 : isName ? -1 : text.search(SECRET_TEXT);
    if (secretAt >= 0) add('secret_asked', where, text, secretAt);
    const named = isName ? undefined : otherToolIn(text, tool.name, context);
    if (named !== undefined) add('other_server_named', where, text, named);
  }
  return findings;
}

interface FoundText {
  readonly where: string;
  readonly text: string;
  readonly isName: boolean;
  /** The name of a parameter that asks for a secret. */
  readonly isSecret?: boolean;
}

/** Every text a model would read: names, titles, descriptions, enums, defaults. */
function textsOf(tool: ListedTool): readonly FoundText[] {
  const texts: FoundText[] = [{ where: 'name', text: tool.name, isName: true }];
  if (tool.title !== null) texts.push({ where: 'title', text: tool.title, isName: false });
  if (tool.description !== null) texts.push({ where: 'description', text: tool.description, isName: false });
  if (tool.annotations.title !== undefined) {
    texts.push({ where: 'annotations.title', text: tool.annotations.title, isName: false });
  }
  collectTexts(tool.inputSchema, 'inputSchema', 0, texts);
  if (tool.outputSchema) collectTexts(tool.outputSchema, 'outputSchema', 0, texts);
  return texts;
}

function collectTexts(value: unknown, where: string, depth: number, into: FoundText[]): void {
  if (depth > MAX_DEPTH) return;
  if (typeof value === 'string') into.push({ where, text: value, isName: false });
  if (Array.isArray(value)) value.forEach((item, index) => collectTexts(item, `${where}.${index}`, depth + 1, into));
  if (!isWireObject(value)) return;
  for (const [name, member] of Object.entries(value)) {
    const path = `${where}.${name}`;
    // Below `properties` the keys are arguments' names; elsewhere they are words of JSON Schema.
    if (where.endsWith('.properties')) into.push({ where: path, text: name, isName: true, isSecret: isSecretParameter(name, member) });
    if (name !== '$ref' && name !== '$schema' && name !== '$id') collectTexts(member, path, depth + 1, into);
  }
}

/** Where another server's tool is named, as its exposed name or as a word long enough not to be an accident. */
function otherToolIn(text: string, own: string, context: FindingContext): number | undefined {
  for (const { serverKey, tool } of context.otherTools) {
    const exposed = text.indexOf(`${serverKey}__${tool}`);
    if (exposed >= 0) return exposed;
    if (tool === own || tool.length < 6 || !/[_-]/.test(tool)) continue;
    const at = text.indexOf(tool);
    if (at >= 0) return at;
  }
  return undefined;
}

const firstHiddenIndex = (text: string): number => {
  const visible = toVisibleText(text);
  let index = 0;
  while (index < text.length && text[index] === visible[index]) index += 1;
  return index;
};

function quoteAround(text: string, at: number): string {
  const from = Math.max(0, at - QUOTE_LENGTH / 4);
  const part = text.slice(from, from + QUOTE_LENGTH);
  return `${from > 0 ? '…' : ''}${toVisibleText(part)}${from + QUOTE_LENGTH < text.length ? '…' : ''}`;
}
