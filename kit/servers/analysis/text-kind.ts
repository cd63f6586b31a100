import type { Identity } from './identity';

const UTF8 = 'UTF-8';

interface Decoded {
  readonly text: string;
  readonly encoding: 'ASCII' | 'UTF-8' | 'UTF-16LE' | 'UTF-16BE';
}

/** Text and scripts: what decodes whole and holds no control characters but those that text uses. */
export function recogniseText(head: Buffer, isCut: boolean): Identity | undefined {
  const decoded = decode(head, isCut);
  if (decoded === undefined || /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(decoded.text)) return undefined;
  const { text, encoding } = decoded;
  const shebang = /^#![ \t]*(\S+)(?:[ \t]+(\S+))?/.exec(text);
  if (shebang) {
    const named = shebang[1]?.endsWith('/env') ? (shebang[2] ?? 'env') : (shebang[1] ?? '');
    const interpreter = named.slice(named.lastIndexOf('/') + 1);
    return { kind: 'script', type: `${interpreter} script (${encoding})`, mime: 'text/x-script', extension: scriptExtension(interpreter) };
  }
  const { name, mime, extension } = guessMarkup(text);
  return { kind: 'text', type: `${name} (${encoding})`, mime, extension };
}

function decode(head: Buffer, isCut: boolean): Decoded | undefined {
  const mark = head.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === 'feff') {
    const encoding = mark === 'fffe' ? 'UTF-16LE' : 'UTF-16BE';
    return { text: strictly(encoding, head.subarray(0, head.length - (head.length % 2)), isCut), encoding };
  }
  try {
    const text = strictly(UTF8, head, isCut);
    return { text, encoding: /^[\u0000-\u007f]*$/.test(text) ? 'ASCII' : UTF8 };
  } catch {
    return undefined;
  }
}

/** Decodes or throws; a character that only the cut of a longer file divides is no error. */
const strictly = (encoding: string, bytes: Buffer, isCut: boolean): string =>
  new TextDecoder(encoding, { fatal: encoding === UTF8 }).decode(bytes, { stream: isCut });

function guessMarkup(text: string): { name: string; mime: string; extension: string } {
  const start = text.trimStart().slice(0, 256).toLowerCase();
  if (start.startsWith('<?xml')) return { name: 'XML document', mime: 'application/xml', extension: 'xml' };
  if (start.startsWith('<!doctype html') || start.startsWith('<html')) return { name: 'HTML document', mime: 'text/html', extension: 'html' };
  if (start.startsWith('<svg')) return { name: 'SVG image', mime: 'image/svg+xml', extension: 'svg' };
  if ((start.startsWith('{') || start.startsWith('[')) && isJson(text)) return { name: 'JSON document', mime: 'application/json', extension: 'json' };
  return { name: 'text', mime: 'text/plain', extension: 'txt' };
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const SCRIPT_EXTENSIONS: readonly (readonly [RegExp, string])[] = [
  [/^(?:ba|da|k|z|a)?sh$/, 'sh'],
  [/^python/, 'py'],
  [/^perl/, 'pl'],
  [/^ruby/, 'rb'],
  [/^(?:node|deno|bun)/, 'js'],
  [/^php/, 'php'],
  [/^pwsh/, 'ps1'],
];

const scriptExtension = (interpreter: string): string | null =>
  SCRIPT_EXTENSIONS.find(([pattern]) => pattern.test(interpreter))?.[1] ?? null;
