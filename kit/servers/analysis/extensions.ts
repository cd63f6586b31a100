import type { Identity } from './identity';

/** Extensions that one kind of content honestly has, by the extension that names the kind. */
const ALSO: Readonly<Record<string, readonly string[]>> = {
  bz2: ['tbz', 'tbz2'],
  cfb: ['doc', 'xls', 'ppt', 'msi', 'msg', 'mdb', 'vsd', 'db'],
  dll: ['ocx', 'cpl', 'sys', 'drv', 'mui', 'pyd', 'efi', 'node', 'exe'],
  elf: ['so', 'o', 'ko', 'bin', 'axf', 'node', 'out'],
  exe: ['scr', 'com', 'sys', 'efi', 'dll'],
  gz: ['tgz', 'svgz', 'taz'],
  html: ['htm', 'xhtml', 'hta'],
  jpg: ['jpeg', 'jpe', 'jfif'],
  'tar.gz': ['gz', 'tgz', 'taz'],
  mp4: ['m4v', 'm4a', 'mov'],
  sqlite: ['db', 'sqlite3', 'db3'],
  tif: ['tiff'],
  xml: ['svg', 'xsd', 'xsl', 'xslt', 'rss', 'plist', 'config', 'csproj', 'xaml', 'html', 'xhtml'],
  xz: ['txz'],
  zip: ['jar', 'apk', 'xpi', 'crx', 'docx', 'xlsx', 'pptx', 'odt', 'ods', 'odp', 'epub', 'whl', 'nupkg', 'vsix', 'war', 'ear', 'ipa', 'mcpb', 'kmz', 'cbz'],
  jar: ['zip', 'war', 'ear', 'apk'],
  zst: ['tzst'],
};

/** Extensions that no text has, so that text under them is misnamed. */
const BINARY_ONLY = new Set(
  '7z apk bmp bz2 cab class dll docx elf exe gif gz ico jar jpeg jpg mp3 mp4 msi pdf png pptx rar scr sqlite sys tar tgz wasm webp xlsx xz zip zst'.split(' '),
);

/** Whether a name's extension fits the content; null where the content has none to compare with. */
export function fitsExtension({ kind, extension }: Pick<Identity, 'kind' | 'extension'>, written: string): boolean | null {
  switch (kind) {
    case 'empty':
    case 'unknown':
      return null;
    case 'text':
    case 'script':
      // Text goes under countless names; only a name that promises something else is wrong.
      return BINARY_ONLY.has(written) ? false : extension === written ? true : null;
    case 'program':
    case 'known':
      return extension === null ? null : extension === written || (ALSO[extension] ?? []).includes(written);
  }
}
