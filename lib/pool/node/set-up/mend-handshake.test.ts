import { expect, it } from 'vitest';
import { mendHandshake } from './mend-handshake';

it('reads null as left out, however deep, and gives initialize what hand-made servers leave out', () => {
  expect(mendHandshake('initialize', { protocolVersion: '2025-11-25', capabilities: null, serverInfo: { name: 'raw', title: null, icons: [{ src: 'a', sizes: null }] }, instructions: null, _meta: null })).toEqual({
    protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'raw', version: '', icons: [{ src: 'a' }] },
  });
  expect(mendHandshake('server/discover', { supportedVersions: ['2026-07-28'], capabilities: { tools: { listChanged: null } }, instructions: null, _meta: null })).toEqual({
    supportedVersions: ['2026-07-28'], capabilities: { tools: {} },
  });
});
