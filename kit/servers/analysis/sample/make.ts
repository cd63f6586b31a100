import { writeFileSync } from 'node:fs';

import { writeZip } from '../testing/write-zip';

/** A grey dot: a whole PNG of 67 bytes. */
const DOT = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg==', 'base64');

/** The harmless sample of a new install. Stored, not compressed, so that its texts can be found in it. */
export const harmlessSample = (): Buffer =>
  writeZip([
    {
      name: 'note.txt',
      content:
        'This archive is harmless. It is here to try the analysis tools on.\n' +
        'strings finds this address in it: https://example.org/signalbox/sample?id=42\n' +
        'and list_archive its three members.\n',
    },
    { name: 'pictures/dot.png', content: DOT },
    { name: 'letter-utf16.txt', content: Buffer.from('\ufeffGrüße: this text is written in UTF-16, two bytes to a letter.\r\n', 'utf16le') },
  ]);

if (process.argv[2] === '--write') {
  writeFileSync(new URL('harmless-sample.zip', import.meta.url), harmlessSample());
}
