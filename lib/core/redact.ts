import { hideEscaped, hideNamedFields, withoutBrokenSecret, withoutBrokenWord } from './redact-wire';

/** What stands where a secret was. */
export const REDACTED = '[redacted]';

const SECRET_NAME =
  /(?:^|[_\-.\s])(?:authorization|proxy-authorization|cookie|set-cookie|password|passwd|passphrase|secret|token|api[_-]?key|apikey|access[_-]?key|private[_-]?key|client[_-]?secret|credential|credentials|signature|bearer|jwt|sessionid|session[_-]?id)s?$/i;

/** Whether a field, header or variable of this name is taken to hold a secret. */
export function isSecretName(name: string): boolean {
  return SECRET_NAME.test(name.replace(/([a-z0-9])([A-Z])/g, '$1_$2'));
}

/** Shapes that are secrets wherever they stand; each takes a time linear in the text, whoever wrote it. */
const SECRET_SHAPES: readonly [RegExp, string][] = [
  [/\b(Bearer|Basic|DPoP)\s+[A-Za-z0-9\-._~+/]{8,}=*/gi, `$1 ${REDACTED}`],
  [/(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g, REDACTED],
  [/\b(?:sk|pk|rk)[-_](?:live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,}/g, REDACTED],
  [/\b(?:ghp|gho|ghu|ghs|ghr|github_pat|glpat|xox[abprs]|npm|hf|AKIA|ASIA|AIza)[-_A-Za-z0-9]{12,}/g, REDACTED],
  [/-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]{0,20000}?-----END [A-Z ]*PRIVATE KEY-----/g, REDACTED],
  [/([?&](?:X-Amz-Signature|X-Amz-Credential|X-Amz-Security-Token|X-Goog-Signature|Signature|sig|sv|token|access_token|key|api_key|apikey|code|state)=)[^&\s"'#]+/gi, `$1${REDACTED}`],
  [/(:\/\/[^/\s:@]*:)[^/\s@]+@/g, `$1${REDACTED}@`],
];

/** A shorter part of base64 could be anybody's. */
const SHORTEST_INNER_BASE64 = 12;

/** The forms in which a known value may appear: as it is, in JSON, in a URL or a form, in base64 alone or within more. */
function formsOf(value: string): string[] {
  const inUrl = encodeURIComponent(value);
  const forms = [value, JSON.stringify(value).slice(1, -1), inUrl, inUrl.replace(/%20/g, '+')];
  const bytes = new TextEncoder().encode(value);
  const base64 = [toBase64(bytes).replace(/=+$/, ''), ...listInnerBase64(bytes)];
  forms.push(...base64, ...base64.map((text) => text.replace(/\+/g, '-').replace(/\//g, '_')));
  return [...new Set(forms)].filter((form) => form.length >= 4);
}

const toBase64 = (bytes: Uint8Array): string => globalThis.btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));

/** The characters that the value alone decides where other bytes stand before and after it. */
function listInnerBase64(bytes: Uint8Array): string[] {
  return [0, 1, 2]
    .map((before) => {
      const shifted = new Uint8Array(before + bytes.length);
      shifted.set(bytes, before);
      return toBase64(shifted).slice(Math.ceil((before * 8) / 6), Math.floor((shifted.length * 8) / 6));
    })
    .filter((inner) => inner.length >= SHORTEST_INNER_BASE64);
}

/** Takes known secret values and secret shapes out of text that leaves the entry it belongs to. */
export class Redactor {
  private readonly forms: readonly string[];

  /** @param values the values of the vault and of secret-named fields, in clear */
  constructor(private readonly values: readonly string[] = []) {
    this.forms = values.flatMap(formsOf).sort((a, b) => b.length - a.length);
  }

  /** Only the known values: what an entry keeps is everything but these. */
  withoutValues(text: string): string {
    return this.forms.reduce((scrubbed, form) => scrubbed.split(form).join(REDACTED), text);
  }

  /**
   * Known values, everything shaped like a secret, and in JSON that a text holds the fields that a secret name marks: for
   * logs, the live feed and exports.
   */
  text(text: string): string {
    const named = hideNamedFields(this.withoutValues(text), isSecretName, REDACTED);
    return SECRET_SHAPES.reduce((scrubbed, [shape, mark]) => scrubbed.replace(shape, mark), named);
  }

  /**
   * Only the known values, of a message as somebody else wrote it: also where its writer escaped characters that ours
   * does not, and, where the text was cut, without the beginning of a value at its end.
   */
  withoutWireValues(text: string, isCut: boolean): string {
    const scrubbed = hideEscaped(this.withoutValues(text), this.values, REDACTED);
    return isCut ? withoutBrokenSecret(scrubbed, this.values, this.forms) : scrubbed;
  }

  /** The same with everything shaped like a secret, and the fields that a secret name marks. */
  wire(text: string, isCut: boolean): string {
    const named = hideNamedFields(this.withoutWireValues(text, isCut), isSecretName, REDACTED);
    const scrubbed = SECRET_SHAPES.reduce((shaped, [shape, mark]) => shaped.replace(shape, mark), named);
    return isCut ? withoutBrokenWord(scrubbed) : scrubbed;
  }

  /** A copy of a JSON value with the fields that a secret name marks, and all texts, scrubbed. */
  value(value: unknown): unknown {
    if (typeof value === 'string') return this.text(value);
    if (Array.isArray(value)) return value.map((item) => this.value(item));
    if (typeof value === 'object' && value !== null) {
      return Object.fromEntries(
        Object.entries(value).map(([name, member]) => [
          name,
          isSecretName(name) && (typeof member === 'string' || typeof member === 'number') ? REDACTED : this.value(member),
        ]),
      );
    }
    return value;
  }
}
