import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decideOrigin, type Reach, type RequestOrigin } from './request-origin';

const reach: Reach = { host: '127.0.0.1', port: 4280, allowedHosts: ['console.example', 'other.example:8443'] };
const request = (change: Partial<RequestOrigin>): RequestOrigin => ({
  method: 'GET',
  host: '127.0.0.1:4280',
  origin: null,
  fetchSite: null,
  fetchMode: null,
  ...change,
});

describe('the Host of a request', () => {
  it.each(['127.0.0.1:4280', 'localhost:4280', 'LOCALHOST:4280', '[::1]:4280', 'console.example', 'console.example:4280', 'other.example:8443'])(
    'may be %s',
    (host) => {
      expect(decideOrigin(request({ host }), reach)).toEqual({ ok: true });
    },
  );

  it.each([null, '', 'evil.example', 'evil.example:4280', 'localhost', 'localhost:4281', 'localhost:4280.evil.example', '127.0.0.1:4280@evil.example', 'other.example', 'console.example:80', '0.0.0.0:4280'])(
    'may not be %s',
    (host) => {
      expect(decideOrigin(request({ host }), reach)).toMatchObject({ ok: false, reason: 'host' });
    },
  );

  it('is any loopback name, and not the wildcard, when bound to every address', () => {
    const everywhere = { ...reach, host: '0.0.0.0' };
    expect(decideOrigin(request({ host: 'localhost:4280' }), everywhere).ok).toBe(true);
    expect(decideOrigin(request({ host: '0.0.0.0:4280' }), everywhere).ok).toBe(false);
  });

  it('has no port where it is the default one', () => {
    expect(decideOrigin(request({ host: 'localhost' }), { ...reach, port: 80 }).ok).toBe(true);
  });

  it('is refused for every name that nobody allowed', () => {
    fc.assert(
      fc.property(fc.domain(), fc.integer({ min: 1, max: 65_535 }), (name, port) => {
        fc.pre(!['localhost', 'console.example', 'other.example'].includes(name.toLowerCase()));
        return !decideOrigin(request({ host: `${name}:${port}` }), reach).ok && !decideOrigin(request({ host: name }), reach).ok;
      }),
    );
  });
});

describe('the Origin of a request', () => {
  it.each(['POST', 'PUT', 'DELETE'])('must be this console for %s', (method) => {
    expect(decideOrigin(request({ method, origin: 'http://127.0.0.1:4280' }), reach)).toEqual({ ok: true });
    expect(decideOrigin(request({ method, fetchSite: 'same-origin' }), reach)).toEqual({ ok: true });
    for (const origin of ['null', 'http://evil.example', 'http://localhost:4280', 'https://127.0.0.1:4280', 'http://127.0.0.1:4281', 'http://127.0.0.1']) {
      expect(decideOrigin(request({ method, origin }), reach), origin).toMatchObject({ ok: false, reason: 'origin' });
    }
  });

  it.each([null, 'cross-site', 'same-site', 'none'])('is no pass when it is absent and the site is %s', (fetchSite) => {
    expect(decideOrigin(request({ method: 'POST', fetchSite }), reach)).toMatchObject({ ok: false, reason: 'origin' });
  });

  it('may be that of a proxy that speaks TLS for a further name', () => {
    expect(decideOrigin(request({ method: 'POST', host: 'console.example', origin: 'https://console.example' }), reach).ok).toBe(true);
  });

  it('lets a link of another page lead here, and a script of another page read nothing', () => {
    expect(decideOrigin(request({ fetchSite: 'cross-site', fetchMode: 'navigate' }), reach).ok).toBe(true);
    expect(decideOrigin(request({ fetchSite: 'cross-site', fetchMode: 'no-cors' }), reach).ok).toBe(false);
    expect(decideOrigin(request({ fetchSite: 'same-site', fetchMode: 'cors' }), reach).ok).toBe(false);
    expect(decideOrigin(request({ origin: 'http://evil.example' }), reach).ok).toBe(false);
  });
});
