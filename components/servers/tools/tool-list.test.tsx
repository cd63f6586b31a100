// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { NuqsTestingAdapter } from 'nuqs/adapters/testing';
import { afterEach, expect, it } from 'vitest';
import type { ToolRowView } from '../views';
import { ToolList } from './tool-list';

afterEach(cleanup);

const setAside = (definition: string): ToolRowView => ({
  tool: {
    name: 'good', exposedName: null, exposed: false, plumbing: false, annotations: {}, risk: 'not stated', openWorld: null, definition,
    setAside: 'The server lists 2 tools of this name.', verifyWith: [], available: true, reason: null, remediation: null, without: null, timeoutS: null, longRunning: false,
  },
  title: null, description: null, findings: 0, pin: 'new', hash: null,
});

it('shows both definitions of a name that a server lists twice, and links to neither', () => {
  render(<ToolList serverKey="fs" rows={[setAside('{"description":"one"}'), setAside('{"description":"two\u001b"}')]} current={null} manage={false} reviewed />, { wrapper: NuqsTestingAdapter });
  expect(screen.getAllByText(/set aside: The server lists 2 tools of this name/)).toHaveLength(2);
  expect(screen.getByText('{"description":"one"}')).toBeTruthy();
  expect(screen.getByText('{"description":"two<U+001B>"}')).toBeTruthy();
  expect(screen.queryByRole('link', { name: 'good' })).toBeNull();
});
