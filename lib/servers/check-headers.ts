import { toVisibleText, type FieldError } from '@/lib/core';

/** A header's name by the grammar of HTTP. */
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
 
const LINE_BREAK_OR_NUL = /[\r\n\u0000]/;
 
const HEADER_VALUE = /^[\t\u0020-\u007E\u0080-\u00FF]*$/;

/**
 * Headers that the connection itself writes; another value would break it, redirect it, or say in a request's head what
 * its body does not. `Accept` and `Content-Type` may be written, as many examples do: what the protocol needs is added.
 */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'host', 'connection', 'keep-alive', 'upgrade', 'te', 'trailer', 'expect', 'content-length', 'content-encoding', 'transfer-encoding',
  'last-event-id', 'mcp-session-id', 'mcp-protocol-version', 'mcp-method', 'mcp-name',
]);
const OWN_PREFIXES = ['mcp-param-', 'sec-websocket-'];

/** What is wrong with the names of headers. Each error names the header, never its value. */
export function checkHeaderNames(names: readonly string[]): readonly FieldError[] {
  const seen = new Set<string>();
  return names.flatMap((name) => {
    const field = `headers.${toVisibleText(name)}`;
    const lower = name.toLowerCase();
    if (!TOKEN.test(name)) {
      return [{ field, message: `"${toVisibleText(name)}" is no header name: write letters, digits and "-" only.` }];
    }
    if (OWN_HEADERS.has(lower) || OWN_PREFIXES.some((prefix) => lower.startsWith(prefix))) {
      return [{ field, message: `The header ${name} is written by the connection itself and cannot be set. Take it out.` }];
    }
    if (seen.has(lower)) {
      return [{ field, message: `The header ${name} is there twice, written differently. Keep one of them.` }];
    }
    seen.add(lower);
    return [];
  });
}

/** What is wrong with a header's value; the value itself is never quoted. */
export function checkHeaderValue(name: string, value: string): readonly FieldError[] {
  const field = `headers.${name}`;
  if (LINE_BREAK_OR_NUL.test(value)) {
    return [{ field, message: `The value of ${name} has a line break or a NUL character in it. Write it on one line.` }];
  }
  if (!HEADER_VALUE.test(value)) {
    return [{ field, message: `The value of ${name} has a character that HTTP cannot carry (outside Latin-1). Encode it.` }];
  }
  return [];
}
