import type { Identity } from './identity';

const UTF8 = 'UTF-8';

interface Decoded {
  readonly text: string;
  readonly encoding: 'ASCII' | 'UTF-8' | 'UTF-16LE' | 'UTF-16BE';
}

/** Text in UTF-16 that begins with its byte-order mark. */
export function recogniseWideText(head: Buffer, isCut: boolean): Identity | undefined {
  const mark = head.toString('hex', 0, 2);
  if (mark !== 'fffe' && mark !== 'feff') return undefined;
  const encoding = mark === 'fffe' ? 'UTF-16LE' : 'UTF-16BE';
  const text = decode(head, encoding, isCut);
  return text === undefined ? undefined : toIdentity({ text, encoding });
}

/** Text and scripts in ASCII and UTF-8. */
export function recogniseText(head: Buffer, isCut: boolean): Identity | undefined {
  const text = decode(head, UTF8, isCut);
  if (text === undefined) return undefined;
  return toIdentity({ text, encoding: /^[\u0000-\u007f]*$/.test(text) ? 'ASCII' : UTF8 });
}

/** The text where the bytes are whole text; one character may be divided where a longer file was cut. */
function decode(bytes: Buffer, encoding: string, isCut: boolean): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: isCut });
    // Control characters other than those that text uses make it data.
    return /[\u0000-\u0008\u000e-\u001a\u001c-\u001f]/.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

function toIdentity({ text, encoding }: Decoded): Identity {
  const shebang = /^#![ \t]*(\S+)(?:[ \t]+(\S+))?/.exec(text);
  if (shebang) {
    const named = shebang[1]?.endsWith('/env') ? (shebang[2] ?? 'env') : (shebang[1] ?? '');
    const interpreter = named.slice(named.lastIndexOf('/') + 1);
    return { kind: 'script', type: `${interpreter} script (${encoding})`, mime: 'text/x-script', extension: scriptExtension(interpreter) };
  }
  const { name, mime, extension } = guessMarkup(text);
  return { kind: 'text', type: `${name} (${encoding})`, mime, extension };
}

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
