type Environment = Readonly<Record<string, string>>;

/** The proxy that the usual variables name for an address; null where it is reached directly. */
export function findProxy(url: URL, environment: Environment): string | null {
  const host = url.hostname.replace(/^\[|\]$/g, '').toLowerCase();
  if (isLoopback(host) || isExempt(host, url.port, valueOf(environment, 'no_proxy'))) return null;
  const secure = url.protocol === 'https:' || url.protocol === 'wss:';
  return valueOf(environment, secure ? 'https_proxy' : 'http_proxy') ?? valueOf(environment, 'all_proxy') ?? null;
}

/** Both spellings are in use; the small one wins, as in curl. */
function valueOf(environment: Environment, name: string): string | undefined {
  const value = environment[name] || environment[name.toUpperCase()];
  return value === '' ? undefined : value;
}

/** A proxy elsewhere would reach its own loopback, never this machine's. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || host.endsWith('.localhost') || host === '::1' || /^127\./.test(host);

/** `*`, `example.com` (with all below it), `.example.com`, `10.0.0.1`, each with `:port` or without. */
function isExempt(host: string, port: string, exemptions: string | undefined): boolean {
  return (exemptions ?? '').split(/[\s,]+/).some((written) => {
    if (written === '') return false;
    if (written === '*') return true;
    const [, name = '', onPort] = /^(.*?)(?::(\d+))?$/.exec(written.toLowerCase()) ?? [];
    if (onPort !== undefined && onPort !== port) return false;
    const bare = name.replace(/^\*?\./, '');
    return host === bare || host.endsWith(`.${bare}`);
  });
}
