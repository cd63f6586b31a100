import { NextRequest } from 'next/server';
import { describe, expect, it } from 'vitest';
import { config, proxy } from './proxy';

const HOST = '127.0.0.1:4280';
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  proxy(new NextRequest(`http://${HOST}${path}`, { method, headers: { host: HOST, ...headers } }));

describe('pages', () => {
  it('come with a policy that lets only scripts and styles of this answer run', () => {
    const first = ask('/servers').headers.get('content-security-policy') ?? '';
    const second = ask('/servers').headers.get('content-security-policy') ?? '';
    expect(first).toMatch(/script-src 'self' 'nonce-[0-9a-f]{32}' 'strict-dynamic'/);
    expect(first).toContain(`frame-ancestors 'none'`);
    expect(first).toContain(`object-src 'none'`);
    expect(first).not.toBe(second);
    expect(ask('/servers').headers.get('x-content-type-options')).toBe('nosniff');
  });

  it('are told their nonce and their path, whatever the browser says these are', () => {
    const answer = ask('/servers?q=1', { 'x-nonce': 'mine', 'x-signalbox-path': '/evil' });
    expect(answer.headers.get('x-middleware-request-x-signalbox-path')).toBe('/servers?q=1');
    expect(answer.headers.get('x-middleware-request-x-nonce')).toMatch(/^[0-9a-f]{32}$/);
  });

  it('are refused under another name, and to forms of other pages', async () => {
    const rebound = ask('/servers', { host: 'evil.example:4280' });
    expect(rebound.status).toBe(421);
    expect(await rebound.text()).toContain('does not answer to evil.example:4280');
    expect(ask('/sign-in', { origin: 'http://evil.example' }, 'POST').status).toBe(403);
    expect(ask('/sign-in', {}, 'POST').status).toBe(403);
    expect(ask('/sign-in', { origin: `http://${HOST}` }, 'POST').status).toBe(200);
  });
});

it('stays out of the way of routes, whose bodies it would cut, and of what is static', () => {
  const [matcher] = config.matcher;
  const matches = (path: string) => new RegExp(`^${matcher}$`).test(path);
  expect(['/', '/servers', '/servers/api', '/settings/vault', '/apiary', '/sign-in', '/mcps'].filter((path) => !matches(path))).toEqual([]);
  expect(['/api', '/api/jobs/console/files', '/mcp', '/_next/static/chunks/x.js', '/icon.svg'].filter(matches)).toEqual([]);
});
