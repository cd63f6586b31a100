// @vitest-environment happy-dom
import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, expect, it } from 'vitest';
import type { ToolRowView } from '../views';
import { MissingTool } from './missing-tool';

afterEach(cleanup);

const SET_ASIDE: ToolRowView = {
  tool: {
    name: 'deep', exposedName: null, exposed: false, plumbing: false, annotations: {}, risk: 'not stated', openWorld: null,
    setAside: 'its inputSchema is nested too deep', verifyWith: [], available: true, reason: null, remediation: null, without: null, timeoutS: null, longRunning: false,
  },
  title: null, description: null, findings: 0, pin: 'new', hash: null,
};

it('says why a tool was set aside', () => {
  render(<MissingTool name="deep" rows={[SET_ASIDE]} />);
  expect(screen.getByText(/The tool "deep" was set aside and cannot be called: its inputSchema is nested too deep\./)).toBeTruthy();
});

it('says that a tool is not in the list', () => {
  render(<MissingTool name="other" rows={[SET_ASIDE]} />);
  expect(screen.getByText(/does not list a tool "other" now/)).toBeTruthy();
});
