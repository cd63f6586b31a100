declare const brand: unique symbol;

/** A string that only its own parser or maker can produce. */
export type Branded<Name extends string> = string & { readonly [brand]: Name };

export type RunId = Branded<'run'>;
export type CallId = Branded<'call'>;
export type TestId = Branded<'test'>;
/** Of a file that is handed to a server. */
export type UploadId = Branded<'upload'>;
/** Of a file on its way from a browser into the store. */
/** Of a filter that somebody gave a name. */
export type ViewId = Branded<'view'>;

const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';

/** 20 characters of 32 letters: 100 random bits, without letters that are mistaken for another. */
function randomSuffix(): string {
  const bytes = globalThis.crypto.getRandomValues(new Uint8Array(20));
  return Array.from(bytes, (byte) => ALPHABET[byte & 31]).join('');
}

const ID_SUFFIX = '[0-9a-hjkmnp-tv-z]{20}';

function idOf<Id extends string>(prefix: string) {
  const pattern = new RegExp(`^${prefix}_${ID_SUFFIX}$`);
  const is = (text: string): text is Id => pattern.test(text);
  return {
    create: (): Id => {
      const text = `${prefix}_${randomSuffix()}`;
      if (!is(text)) throw new Error(`made a malformed id: ${text}`);
      return text;
    },
    /** The id, or undefined where the text is none. */
    parse: (text: string): Id | undefined => (is(text) ? text : undefined),
  };
}

export const runIds = idOf<RunId>('run');
/** A call's id is made by whoever presses the button: the same id twice is one call. */
export const callIds = idOf<CallId>('cal');
export const testIds = idOf<TestId>('tst');
export const uploadIds = idOf<UploadId>('upl');
export const viewIds = idOf<ViewId>('vie');

/** `ev_0001`: an entry's id in its run, four digits or more. */
export const toEntryId = (number: number): string => `ev_${String(number).padStart(4, '0')}`;
