// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor, within } from '@testing-library/react';
import type { ReactNode } from 'react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ConnectFailure, ServerState } from '@/lib/pool';
import type { ConnectionTestResult } from '@/lib/testing-connections';
import type { CardActions } from './action';
import { addLine, MOST_LINES } from './log-lines';
import { ServerCard } from './server-card';
import { compareCards, matchesFilters } from './server-filters';
import { TestReport } from './test-report';
import { foldStages } from './test-stages';
import type { ServerCardView } from './views';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn(), refresh: vi.fn() }), useSelectedLayoutSegment: () => null }));
vi.mock('../ui/toast', () => ({ useToast: () => vi.fn() }));
vi.mock('@/lib/live/client', () => ({ useLive: () => undefined }));

afterEach(cleanup);

const FAILURE: ConnectFailure = {
  stage: 'resolve', code: 'program_missing', message: 'npx is not on the PATH that the console sees.', remediation: 'Install Node, or give its full path.', evidence: {},
};

const CARD: ServerCardView = {
  key: 'files', label: 'Files on this host', tags: ['local'], transport: 'stdio', enabled: true, bundled: false, fromFile: false, reviewed: true, tlsInsecure: false,
  state: { name: 'connected', facts: { transport: 'stdio', era: 'modern', protocolVersion: '2026-07-28', serverInfo: null, instructions: null, processId: 1, connectedAt: 1 } },
  facts: { transport: 'stdio', era: 'modern', protocolVersion: '2026-07-28' },
  counts: { offered: 14, available: 12, exposed: 9 },
  unavailable: [{ name: 'pdf_text', reason: 'pdftotext is not on the PATH', remediation: 'apt-get install poppler-utils', without: 'page count', listed: true }],
  manifestProblem: null,
  warnings: [],
  lastTest: { at: 1, ok: true, latencyMs: 84, failure: null },
  load: { inFlight: 0, queued: 0 },
  health: { latency: [], calls: { ended: 0, failed: 0, unknown: 0 } },
};

const ALL = { manage: true, call: true };
const actionsOf = (): CardActions => ({
  startTest: vi.fn(), setEnabled: vi.fn(() => Promise.resolve({ ok: true as const, data: { key: 'files' } })), deleteServer: vi.fn(), restoreBundled: vi.fn(), putSample: vi.fn(), changeRest: vi.fn(), changeAddress: vi.fn(() => Promise.resolve({ ok: true as const, data: { key: 'files' } })),
});

const Frame = ({ children }: { readonly children: ReactNode }) => <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>;

function show(card: Partial<ServerCardView>, rights = ALL, actions = actionsOf()) {
  render(<ServerCard card={{ ...CARD, ...card }} rights={rights} actions={actions} />, { wrapper: Frame });
  return actions;
}

describe('a server card', () => {
  it('says how the server stands, what it offers, and what to do about what it cannot', () => {
    show({});
    expect(screen.getByText('connected')).toBeTruthy();
    expect(screen.getByText('stdio · modern 2026-07-28')).toBeTruthy();
    expect(screen.getByText('9 exposed, 12 of 14 available')).toBeTruthy();
    expect(screen.getByText(/84 ms/)).toBeTruthy();
    const tool = within(screen.getByRole('list', { name: 'Unavailable tools' })).getByRole('listitem');
    expect(tool.textContent).toContain('pdftotext is not on the PATH');
    expect(tool.textContent).toContain('still answers: page count');
    expect(tool.textContent).toContain('Do this: apt-get install poppler-utils');
    expect(within(tool).getByRole('button', { name: /Copy the command apt-get install/ })).toBeTruthy();
  });

  it.each<[string, ServerState, RegExp]>([
    ['disabled', { name: 'disabled' }, /^disabled$/],
    ['untested', { name: 'untested' }, /Nothing has connected to it yet/],
    ['starting', { name: 'starting', since: 1, attempt: 2, progress: null }, /attempt 2/],
    ['starting again', { name: 'starting', since: 1, attempt: 3, progress: 'npm: reify', lastFailure: FAILURE }, /npx is not on the PATH/],
    ['starting again, how far it is', { name: 'starting', since: 1, attempt: 3, progress: 'npm: reify', lastFailure: FAILURE }, /^npm: reify$/],
    ['failing', { name: 'failing', failure: FAILURE, since: 1, attempt: 3, nextTryAt: null }, /attempt 3; nothing tries again until someone asks/],
    ['resting', { name: 'resting', reason: 'Three calls in a row were not answered.', untilAt: Date.now() + 40_000 }, /Three calls in a row/],
    ['sign_in_needed', { name: 'sign_in_needed', failure: FAILURE }, /not on the PATH/],
  ])('%s: says so in its word, with why', (_name, state, sentence) => {
    show({ state });
    expect(screen.getAllByText(sentence).length).toBeGreaterThan(0);
  });

  it('leads with the failure and its remedy', () => {
    show({ state: { name: 'failing', failure: FAILURE, since: 1, attempt: 1, nextTryAt: Date.now() + 60_000 } });
    const text = screen.getByRole('article').textContent;
    expect(text.indexOf('npx is not on the PATH')).toBeGreaterThan(0);
    expect(text.indexOf('npx is not on the PATH')).toBeLessThan(text.indexOf('9 exposed'));
    expect(text).toContain('Do this: Install Node, or give its full path.');
    expect(text).toContain('next try');
  });

  it('says that nobody has reviewed the tools', () => {
    show({ reviewed: false });
    expect(screen.getByText('nobody has reviewed its tools yet')).toBeTruthy();
  });

  it('says what is odd although it works, marked and as text, three of it at most with the way to the rest', () => {
    const texts = ['TLS not verified: anyone can read it.', 'Its tool list is empty.', 'It prints \u202Eto stdout.', 'A fourth.', 'A fifth.'];
    show({ warnings: texts.map((text) => ({ text, page: null })) });
    const lines = within(screen.getByRole('list', { name: 'Warnings' })).getAllByRole('listitem').map((line) => line.textContent);
    expect(lines).toEqual(['▲\uFE0Eattention: TLS not verified: anyone can read it.', '▲\uFE0Eattention: Its tool list is empty.', '▲\uFE0Eattention: It prints <U+202E>to stdout.', '2 more']);
    expect(screen.getByRole('link', { name: '2 more' }).getAttribute('href')).toBe('/servers/files');
    cleanup();
    show({ warnings: [{ text: 'Its tool list is empty.', page: 'tools' }] });
    expect(screen.queryByText(/more$/)).toBeNull();
  });

  it('writes out what a server hides in its texts', () => {
    show({ unavailable: [{ name: 'a\u202Eb', reason: '\u001B[2Jgone', remediation: null, without: null, listed: false }] });
    expect(screen.getByText('a<U+202E>b')).toBeTruthy();
    expect(screen.getByText(/<U\+001B>\[2Jgone/)).toBeTruthy();
  });

  it('offers what the role allows, and only reads a server of a file', () => {
    show({}, { manage: false, call: false });
    expect(screen.queryByRole('button', { name: 'Test' })).toBeNull();
    expect(screen.queryByRole('switch')).toBeNull();
    cleanup();
    show({ fromFile: true });
    expect(screen.getByRole('button', { name: 'Test' })).toBeTruthy();
    expect(screen.queryByRole('switch')).toBeNull();
    expect(screen.getByText('from a file')).toBeTruthy();
  });

  it('shows why the last test failed while nothing newer is known, with one press for the address of a redirect', async () => {
    const lastTest = { at: 5, ok: false, latencyMs: null, failure: { message: 'It redirects elsewhere.', remedy: 'Store it.', isCancelled: false, redirectAddress: 'https://new.example/mcp' } };
    const actions = show({ state: { name: 'untested' }, lastTest });
    expect(screen.getByText('Its last test failed. It redirects elsewhere.')).toBeTruthy();
    fireEvent.click(screen.getByRole('button', { name: 'Use this address' }));
    await waitFor(() => expect(actions.changeAddress).toHaveBeenCalledWith({ key: 'files', url: 'https://new.example/mcp' }));
    cleanup();
    show({ state: { name: 'failing', failure: FAILURE, since: 1, attempt: 1, nextTryAt: null }, lastTest });
    expect(screen.queryByText(/Its last test failed/)).toBeNull();
    cleanup();
    show({ lastTest: { ...lastTest, at: 0 } });
    expect(screen.queryByText(/Its last test failed/)).toBeNull();
  });

  it('offers the address that a redirect of a failing server names, to those who may change it', async () => {
    const failure: ConnectFailure = { ...FAILURE, code: 'redirected', evidence: { headers: { location: 'https://new.example/mcp' } } };
    const state: ServerState = { name: 'failing', failure, since: 1, attempt: 1, nextTryAt: null };
    const actions = show({ state });
    fireEvent.click(screen.getByRole('button', { name: 'Use this address' }));
    await waitFor(() => expect(actions.changeAddress).toHaveBeenCalledOnce());
    cleanup();
    show({ state }, { manage: false, call: true });
    expect(screen.queryByRole('button', { name: 'Use this address' })).toBeNull();
    cleanup();
    for (const location of ['ftp://x/', 'nowhere', 'https://x/[redacted]', 'https://u:p@x/']) {
      show({ state: { ...state, failure: { ...failure, evidence: { headers: { location } } } } });
      expect(screen.queryByRole('button', { name: 'Use this address' })).toBeNull();
      cleanup();
    }
  });

  it('switches the server off, and leads a new install to a sample', async () => {
    const actions = show({ bundled: true });
    expect(screen.getByRole('button', { name: 'Try it' })).toBeTruthy();
    fireEvent.click(screen.getByRole('switch', { name: 'files enabled' }));
    await waitFor(() => expect(actions.setEnabled).toHaveBeenCalledWith({ key: 'files', enabled: false }));
  });
});

describe('the list of servers', () => {
  const failing: ServerCardView = { ...CARD, key: 'zed', tags: ['remote'], transport: 'http', state: { name: 'failing', failure: FAILURE, since: 1, attempt: 1, nextTryAt: null } };

  it('narrows by words, state, transport and tag, which compose', () => {
    expect(matchesFilters(CARD, { q: ['FILES host'], state: ['connected', 'idle'], transport: ['stdio'], tag: ['local'] })).toBe(true);
    expect(matchesFilters(CARD, { q: ['pdf_text'] })).toBe(true);
    expect(matchesFilters(CARD, { state: ['failing'] })).toBe(false);
    expect(matchesFilters(failing, { transport: ['stdio'] })).toBe(false);
    expect(matchesFilters(failing, { tag: ['remote'] })).toBe(true);
  });

  it('puts what needs attention first', () => {
    expect([CARD, failing].sort(compareCards('attention')).map((card) => card.key)).toEqual(['zed', 'files']);
    expect([failing, CARD].sort(compareCards('name')).map((card) => card.key)).toEqual(['files', 'zed']);
  });
});

describe('a test as it goes', () => {
  it('shows the stages that ended, and the one under way with its progress', () => {
    const report = { stage: 'spawn', outcome: 'passed', ms: 3, detail: 'started', evidence: {} } as const;
    expect(
      foldStages([
        { type: 'test.stage_began', stage: 'spawn', at: 1 },
        { type: 'test.stage_ended', report, at: 2 },
        { type: 'test.stage_began', stage: 'negotiate', at: 3 },
        { type: 'test.progressed', text: 'installing', at: 4 },
      ]),
    ).toEqual({ reports: [report], running: 'negotiate', progress: 'installing' });
  });
});

describe('a test that ended', () => {
  const show = (code: ConnectFailure['code'], detail: string) => {
    const failure: ConnectFailure = {
      stage: 'negotiate', code, message: `It went wrong: ${detail}.`, remediation: 'Mend it.', evidence: { detail, stderr: ['FATAL'] },
    };
    const result: ConnectionTestResult = {
      startedAt: 1, finishedAt: 4, ok: false, latencyMs: null, failure, warnings: [], facts: null, snapshot: null, strayLines: { count: 0, first: null },
      stages: [{ stage: 'negotiate', outcome: 'failed', ms: 3, detail: failure.message, evidence: failure.evidence }],
    };
    render(<TestReport testId="t" error={null} test={{ events: [{ type: 'test.ended', result, at: 4 }], result }} />);
    return screen.getByRole('region', { name: 'Connection test' }).textContent;
  };

  it('shows the sentence, its remedy and the evidence, and nothing twice', () => {
    const text = show('exited', 'no key');
    expect(text).toContain('Do this: Mend it.');
    expect(text).toContain('FATAL');
    expect(text.split('no key')).toHaveLength(2);
  });

  it('that a person cancelled did not fail', () => {
    const text = show('cancelled', 'given up');
    expect(text).toContain('The test was cancelled');
    expect(text).not.toMatch(/failed|Do this/);
  });
});

describe('the log', () => {
  const line = (number: number) => ({ number, at: number, source: 'stderr', text: String(number) }) as const;

  it('takes each line once and in order, and keeps the newest', () => {
    const lines = [1, 3].map(line);
    expect(addLine(lines, line(3))).toEqual(lines);
    expect(addLine(lines, line(2)).map(({ number }) => number)).toEqual([1, 2, 3]);
    const many = Array.from({ length: MOST_LINES }, (_, index) => line(index));
    expect(addLine(many, line(MOST_LINES)).at(0)?.number).toBe(1);
  });
});
