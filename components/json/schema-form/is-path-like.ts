const NAMES = /^(?:path|file|filename|filepath|sample|input|archive|image|document)$|(?:^|_)(?:file_?)?path$|_file$|(?:[a-z])(?:Path|File)$/;

/** Whether a text argument takes the path of a file, by its name or its format. */
export const isPathLike = (name: string, format: string | undefined): boolean =>
  format === 'path' || format === 'file-path' || (format === 'uri-reference' && /path|file/i.test(name)) || NAMES.test(name);
