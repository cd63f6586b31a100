const EXTENSIONS: Readonly<Record<string, string>> = {
  'image/png': 'png', 'image/jpeg': 'jpg', 'image/gif': 'gif', 'image/webp': 'webp', 'image/svg+xml': 'svg', 'audio/wav': 'wav',
  'audio/mpeg': 'mp3', 'audio/ogg': 'ogg', 'application/json': 'json', 'application/pdf': 'pdf', 'text/plain': 'txt', 'text/html': 'html',
};

/** A file name out of a stranger's address: its last part, in plain letters, never a path, a hidden file or a device. */
export function toSafeName(address: string, mimeType: string | null): string {
  const last = address.replace(/[?#].*$/s, '').split(/[/\\]/).filter((part) => part !== '').at(-1) ?? '';
  const plain = last.replace(/%[0-9a-f]{2}/gi, '_').replace(/[^A-Za-z0-9._-]+/g, '_').replace(/^[._-]+/, '').replace(/[._-]+$/, '').slice(0, 80);
  const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?:\.|$)/i.test(plain);
  const name = plain === '' || reserved ? 'resource' : plain;
  if (/\.[A-Za-z0-9]{1,8}$/.test(name)) return name;
  return `${name}.${EXTENSIONS[mimeType ?? ''] ?? 'bin'}`;
}

/** The address, where a person may follow it: http and https alone, never one that runs or reads something here. */
export function toFollowable(address: string): string | null {
  try {
    const url = new URL(address);
    return (url.protocol === 'https:' || url.protocol === 'http:') && url.username === '' && url.password === '' ? url.href : null;
  } catch {
    return null;
  }
}
