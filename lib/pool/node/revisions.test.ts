import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { REVISIONS } from '..';

it('the revisions that are named are those that the library speaks', () => {
  expect(REVISIONS.slice(1)).toEqual([...SUPPORTED_PROTOCOL_VERSIONS].filter((revision) => revision < '2026').sort().reverse());
});
