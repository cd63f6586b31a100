import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor, REDACTED } from './redact';

const SECRET = 'pa/ss"wörd\n&c0rrect horse';
const redactor = new Redactor([SECRET]);
const wire = (text: string) => redactor.wire(text, false);

/** Every character as its escape, as some writers of JSON do. */
const toEscapes = (text: string) => Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).toUpperCase().padStart(4, '0')}`).join('');

describe('a known secret in a message that somebody else wrote', () => {
  it.each([
    ['as our own writer has it', JSON.stringify({ text: SECRET })],
    ['with escaped slashes', JSON.stringify({ text: SECRET }).replaceAll('/', '\\/')],
    ['in ASCII alone', JSON.stringify({ text: SECRET }).replaceAll('ö', '\\u00f6')],
    ['with every character escaped', `{"text":"${toEscapes(SECRET)}"}`],
    ['in JSON within JSON', JSON.stringify({ text: JSON.stringify({ inner: SECRET }) })],
    ['in JSON within JSON within JSON, in ASCII', JSON.stringify(JSON.stringify(JSON.stringify(SECRET).replaceAll('ö', '\\u00f6')))],
    ['in a URL', `{"uri":"http://x/?q=${encodeURIComponent(SECRET)}"}`],
    ['in a form', new URLSearchParams({ text: SECRET }).toString().replace(/%0A/g, '%0A')],
  ])('is hidden %s', (_how, text) => {
    const shown = wire(text);
    expect(shown).toContain(REDACTED);
    expect(shown.replace(/\\+u[0-9a-fA-F]{4}/g, '')).not.toMatch(/w.{0,8}rd|c0rrect|horse/);
  });

  it.each([0, 1, 2, 3])('is hidden in base64 after %i other bytes', (before) => {
    const blob = Buffer.from(`${'x'.repeat(before)}${SECRET} and more`).toString('base64');
    const shown = wire(JSON.stringify({ blob }));
    expect(shown).toContain(REDACTED);
    expect(Buffer.from(shown, 'base64').toString()).not.toContain('c0rrect');
  });

  it('is hidden wherever the text was cut, to its last character', () => {
    const simple = new Redactor(['tr0ub4dor and three']);
    const whole = JSON.stringify({ a: 'before', text: 'tr0ub4dor and three', b: 'after' });
    for (let cut = 0; cut <= whole.length; cut += 1) {
      expect(simple.wire(whole.slice(0, cut), true)).not.toMatch(/tr0|\bthree/);
    }
  });
});

describe('a secret with escapes at the cut', () => {
  it('is hidden where the cut went through an escape', () => {
    const own = new Redactor(['one two thr\u00f6e four']);
    const whole = '{"text":"one two thr\\u00f6e four"}';
    for (let cut = 0; cut < whole.length - 2; cut += 1) expect(own.withoutWireValues(whole.slice(0, cut), true)).not.toContain('one t');
  });
});

describe('what is shaped like a secret in a message', () => {
  const TOKEN = `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.${'s'.repeat(43)}`;
  const KEY = `-----BEGIN RSA PRIVATE KEY-----\\n${'MIIE'.repeat(200)}\\n-----END RSA PRIVATE KEY-----`;

  it('is hidden also where the text was cut within it', () => {
    for (const [secret, telltale] of [[TOKEN, 'eyJhbGci'], [KEY, 'MIIEMIIE'], [`Bearer ${'t'.repeat(40)}`, 'tttt'], ['ghp_0123456789abcdefghij', 'ghp_0']] as const) {
      const whole = `{"text":"see ${secret} there"}`;
      expect(wire(whole)).not.toContain(telltale);
      for (let cut = 0; cut <= whole.length; cut += 3) expect(redactor.wire(whole.slice(0, cut), true)).not.toContain(telltale);
    }
  });

  it('is hidden under a name that marks it, in JSON within JSON too', () => {
    expect(wire('{"arguments": {"user":"ana","password" : "hunter2","apiKey":"k-1"}}')).toBe(
      `{"arguments": {"user":"ana","password" : "${REDACTED}","apiKey":"${REDACTED}"}}`,
    );
    expect(wire(JSON.stringify({ text: JSON.stringify({ token: 'a "quoted" one', n: 1 }) }))).toBe(
      `{"text":"{\\"token\\":\\"${REDACTED}\\",\\"n\\":1}"}`,
    );
  });

  it('is not seen in what the protocol names so', () => {
    const text = '{"_meta":{"progressToken":7},"maxTokens":100,"usage":{"total_tokens":12},"properties":{"token":{"type":"string"}}}';
    expect(wire(text)).toBe(text);
  });
});

describe('the redactor of messages', () => {
  it('keeps a text that holds nothing secret as it was', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        const clean = new Redactor(['a secret that is nowhere']);
        expect(clean.withoutWireValues(text, false)).toBe(text);
      }),
    );
  });

  it('hides any secret that any JSON holds, however it is nested and cut', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[!-~]{12,24}$/), fc.json(), fc.nat(3), fc.nat(), (secret, more, depth, at) => {
        let text = JSON.stringify({ more, text: `a ${secret} b`, tail: more });
        for (let level = 0; level < depth; level += 1) text = JSON.stringify({ text });
        const own = new Redactor([secret]);
        fc.pre(!text.includes(REDACTED));
        expect(toPlainText(own.withoutWireValues(text, false))).not.toContain(secret);
        expect(toPlainText(own.wire(text.slice(0, at % text.length), true))).not.toContain(secret.slice(0, 8));
      }),
    );
  });

  it('takes hostile texts in a time that grows as they do', () => {
    for (const part of ['eyJ-', '-----BEGIN PRIVATE KEY-----', '\\\\u0', '"a":', '://a:', 'Bearer ', '\\"a\\":', 'sk-a']) {
      wire(part.repeat(Math.ceil(65_536 / part.length)));
      redactor.wire(part.repeat(Math.ceil(65_536 / part.length)), true);
    }
  });
});

/** As a person reads it once every level of JSON was read. */
const toPlainText = (text: string) => text.replace(/\\+/g, '');
