// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ActionResult } from '@/lib/core';
import type { CreateServer, SaveOutcome, SaveServer, StartTest } from '../action';
import { EntryForm } from './entry-form';

vi.mock('next/navigation', () => ({ useRouter: () => ({ push: vi.fn(), refresh: vi.fn() }) }));
vi.mock('@/lib/live/client', () => ({ useLive: () => undefined }));

afterEach(cleanup);

const answered = <Data,>(data: Data): Promise<ActionResult<Data>> => Promise.resolve({ ok: true, data });

function open(options: { initial?: Record<string, unknown>; saved?: { key: string; revision: number }; outcome?: SaveOutcome; startedTest?: string } = {}) {
  const outcome: SaveOutcome = options.outcome ?? { kind: 'saved', key: 'x', revision: 2 };
  const createServer = vi.fn<CreateServer>(() => answered(outcome));
  const saveServer = vi.fn<SaveServer>(() => answered(outcome));
  const startTest = vi.fn<StartTest>(() => answered(options.startedTest !== undefined ? { testId: options.startedTest } : { fields: [{ field: 'command', message: 'no_such_program is not there.' }] }));
  render(
    <QueryClientProvider client={new QueryClient()}>
      <EntryForm
        saved={options.saved ?? null}
        initial={options.initial ?? {}}
        reviewed={false}
        offeredVariables={['HTTPS_PROXY']}
        secretNames={['TOKEN']}
        environmentReadAt={1}
        createServer={createServer}
        saveServer={saveServer}
        startTest={startTest}
        cancelTest={vi.fn()}
      />
    </QueryClientProvider>,
  );
  return { createServer, saveServer, startTest };
}

const FAILURE = {
  stage: 'http', code: 'redirected', message: 'It redirects elsewhere.', remediation: 'Store the other address.',
  evidence: { httpStatus: 301, headers: { location: 'https://new.example/mcp' } },
};

const paste = () => screen.getByLabelText<HTMLTextAreaElement>('Paste what you have');
const write = (element: HTMLElement, value: string) => fireEvent.change(element, { target: { value } });
const field = (label: string | RegExp) => screen.getByLabelText<HTMLInputElement>(label);

describe('the paste field and the form', () => {
  it('fills the form from a command line', () => {
    open();
    write(paste(), 'npx -y @modelcontextprotocol/server-everything');
    expect(field(/^Command \(/).value).toBe('npx');
    expect(field('argument 1').value).toBe('-y');
    expect(field('argument 2').value).toBe('@modelcontextprotocol/server-everything');
    expect(field(/^Key/).value).not.toBe('');
    expect(screen.getByText(/may install a package first/)).toBeTruthy();
  });

  it('fills the form from a URL, and the text from the form', () => {
    open();
    write(paste(), 'https://example.com/mcp');
    expect(field(/^URL/).value).toBe('https://example.com/mcp');
    write(field(/^URL/), 'https://example.com/other');
    write(field(/^Key/), 'remote');
    expect(JSON.parse(paste().value)).toEqual({ mcpServers: { remote: { url: 'https://example.com/other' } } });
  });

  it('writes the text as the form is filled from nothing, and reads it back to the same', () => {
    open();
    write(field(/^Key/), 'files');
    write(field(/^Command \(/), 'node');
    fireEvent.click(screen.getByRole('button', { name: 'Add an argument' }));
    write(field('argument 1'), 'server.js --with spaces');
    fireEvent.click(screen.getByLabelText('HTTPS_PROXY'));
    const text = paste().value;
    expect(JSON.parse(text)).toEqual({ mcpServers: { files: { command: 'node', args: ['server.js --with spaces'], env_allow: ['HTTPS_PROXY'] } } });
    write(paste(), `${text}\n`);
    expect(field('argument 1').value).toBe('server.js --with spaces');
  });

  it('lets a person choose among several servers', () => {
    open();
    write(paste(), JSON.stringify({ mcpServers: { one: { command: 'a' }, two: { command: 'b' } } }));
    expect(field(/^Command \(/).value).toBe('a');
    fireEvent.click(screen.getByRole('button', { name: 'two' }));
    expect(field(/^Command \(/).value).toBe('b');
    expect(field(/^Key/).value).toBe('two');
  });

  it('says where cut-off JSON ends and keeps both the text and the form', () => {
    open();
    write(paste(), 'npx -y thing');
    write(paste(), '{"mcpServers": {\n  "a": {"command": "x"');
    expect(screen.getByText(/Line 2, column/)).toBeTruthy();
    expect(paste().value).toContain('"command": "x"');
    expect(field(/^Command \(/).value).toBe('npx');
  });

  it('says what of the text it could not take, where a server has a command and a url', () => {
    open();
    write(paste(), JSON.stringify({ mcpServers: { both: { command: 'node', url: 'http://localhost:1/mcp' } } }));
    expect(screen.getByText(/a command or a url, not both.*filled with its command alone/)).toBeTruthy();
    expect(field(/^Command \(/).value).toBe('node');
    fireEvent.click(screen.getByRole('button', { name: 'Keep the command alone' }));
    expect(screen.queryByText(/not both/)).toBeNull();
    expect(JSON.parse(paste().value)).toEqual({ mcpServers: { both: { command: 'node' } } });
  });

  it('neither tests nor saves such a text until a person chose, whatever else is written meanwhile', async () => {
    const { startTest, createServer } = open();
    const both = JSON.stringify({ mcpServers: { both: { command: 'node', args: ['x'], url: 'http://localhost:1/mcp', headers: { A: 'b' } } } });
    const presses = () => screen.getAllByRole<HTMLButtonElement>('button', { name: /^(Test|Save without a test)$/ });
    write(paste(), both);
    write(field(/^Label/), 'one');
    for (const press of presses()) fireEvent.click(press);
    expect(presses().map((press) => press.disabled)).toEqual([true, true]);
    expect([startTest, createServer].map((action) => action.mock.calls.length)).toEqual([0, 0]);
    fireEvent.click(screen.getByRole('button', { name: 'Keep the url alone' }));
    fireEvent.click(screen.getByRole('button', { name: 'Test' }));
    await waitFor(() => expect(startTest).toHaveBeenCalledWith({ key: null, fields: { key: 'both', label: 'one', url: 'http://localhost:1/mcp', headers: { A: 'b' }, transport: 'http' } }));
    expect(JSON.parse(paste().value)).toEqual({ mcpServers: { both: { label: 'one', url: 'http://localhost:1/mcp', headers: { A: 'b' } } } });

    write(paste(), both);
    expect(presses().every((press) => press.disabled)).toBe(true);
    write(paste(), 'https://example.com/mcp');
    expect(presses().some((press) => press.disabled)).toBe(false);
    write(paste(), both);
    write(field('Transport'), 'http');
    expect(presses().some((press) => press.disabled)).toBe(false);
  });

  it('shows the exact command, quoted where it must be, with what is hidden written out', () => {
    open({ initial: { key: 'x', command: '/opt/run\u202E', args: ['--flag', 'two words', ''] } });
    const items = [...screen.getByRole('list', { name: 'The command as it is started' }).children].map((item) => item.textContent);
    expect(items).toEqual(['/opt/run<U+202E>', '--flag', '"two words"', '""']);
  });
});

describe('saving and testing', () => {
  it('shows errors at their fields once asked, and keeps what was typed', async () => {
    const { createServer } = open({ outcome: { kind: 'invalid', fields: [{ field: 'key', message: 'A server with the key taken is there already.' }] } });
    write(field(/^Key/), 'taken');
    write(field(/^Command \(/), 'node');
    fireEvent.click(screen.getByRole('button', { name: 'Save without a test' }));
    await waitFor(() => expect(screen.getByText(/is there already/)).toBeTruthy());
    expect(createServer.mock.calls[0]?.[0]).toEqual({ fields: { key: 'taken', command: 'node', transport: 'stdio' }, testId: null, tools: null });
    expect(field(/^Key/).value).toBe('taken');
    expect(field(/^Key/).getAttribute('aria-invalid')).toBe('true');
  });

  it('names a bad key while it is typed', () => {
    open();
    write(field(/^Key/), 'Bad Key');
    expect(field(/^Key/).getAttribute('aria-invalid')).toBe('true');
  });

  it('shows what the test refuses at the field that it concerns', async () => {
    open({ initial: { key: 'x', command: 'no_such_program' } });
    fireEvent.click(screen.getByRole('button', { name: 'Test' }));
    await waitFor(() => expect(screen.getByText('no_such_program is not there.')).toBeTruthy());
  });

  it('tests the saved server itself while nothing is changed, and the form once something is', async () => {
    const { startTest } = open({ initial: { key: 'x', command: 'no_such_program' }, saved: { key: 'x', revision: 1 } });
    fireEvent.click(screen.getByRole('button', { name: 'Test' }));
    await waitFor(() => expect(startTest).toHaveBeenLastCalledWith({ key: 'x', fields: null }));
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Test' }).disabled).toBe(false));
    write(field(/^Command \(/), 'other');
    fireEvent.click(screen.getByRole('button', { name: 'Test' }));
    await waitFor(() => expect(startTest).toHaveBeenLastCalledWith({ key: null, fields: { key: 'x', command: 'other', transport: 'stdio' } }));
  });

  it.each([
    ['a new server', undefined, 'Save without a test'],
    ['a saved one', { key: 'x', revision: 1 }, 'Save'],
  ])('of %s takes the test of exactly what is saved along, failed as well, and no other', async (_name, saved, press) => {
    const result = { ok: false, stages: [], warnings: [], snapshot: null, startedAt: 1, finishedAt: 2, latencyMs: null, strayLines: { count: 0, first: null }, facts: null, failure: FAILURE };
    vi.stubGlobal('fetch', () => Promise.resolve(Response.json({ events: [], result })));
    const { createServer, saveServer } = open({ initial: { key: 'x', url: 'https://old.example/mcp' }, startedTest: 'tst_1', ...(saved && { saved }) });
    const saves = saved === undefined ? createServer : saveServer;
    write(field(/^URL/), 'https://other.example/mcp');
    fireEvent.click(screen.getByRole('button', { name: 'Test' }));
    await screen.findByText('It redirects elsewhere.');
    fireEvent.click(screen.getByRole('button', { name: press }));
    await waitFor(() => expect(saves.mock.lastCall?.[0]).toMatchObject({ testId: 'tst_1', fields: { url: 'https://other.example/mcp' } }));

    // The address that the redirect names is one press; what was tested is another connection then.
    fireEvent.click(screen.getByRole('button', { name: 'Use this address' }));
    expect(field(/^URL/).value).toBe('https://new.example/mcp');
    fireEvent.click(screen.getByRole('button', { name: press }));
    await waitFor(() => expect(saves.mock.lastCall?.[0]).toMatchObject({ testId: null, fields: { url: 'https://new.example/mcp' } }));
    vi.unstubAllGlobals();
  });

  it('shows both versions of a conflict and saves mine over theirs when asked', async () => {
    const theirs = {
      key: 'x', label: 'Theirs', enabled: true, connect: 'start', era: 'auto', prefix: true, aliases: {}, tools: [], limits: {}, required: false, external: false, trusted: true,
      instructions: 'include', verify_with: {}, share: false, reads_errors: true, tags: [], transport: 'stdio', command: 'node', args: [], env: {}, env_allow: [],
    };
    const { saveServer } = open({
      initial: { key: 'x', command: 'node', label: 'Mine', tools: [] },
      saved: { key: 'x', revision: 1 },
      // The key of a test's entry is not branded.
      outcome: { kind: 'conflict', theirs: theirs as never, theirRevision: 7 },
    });
    fireEvent.click(screen.getByRole('button', { name: 'Save' }));
    await waitFor(() => expect(screen.getByRole('table', { name: 'Where the two differ' }).textContent).toContain('"Theirs""Mine"'));
    fireEvent.click(screen.getByRole('button', { name: 'Save mine over theirs' }));
    await waitFor(() => expect(saveServer.mock.lastCall?.[0].revision).toBe(7));
    expect(field('Label').value).toBe('Mine');
  });

  it('leaves out what was typed for another transport, and keeps it in the form', async () => {
    const { createServer } = open({ initial: { key: 'x', command: 'node' } });
    write(field('Transport'), 'http');
    write(field(/^URL/), 'https://example.com/mcp');
    fireEvent.click(screen.getByRole('button', { name: 'Save without a test' }));
    await waitFor(() => expect(createServer.mock.calls[0]?.[0].fields).toEqual({ key: 'x', transport: 'http', url: 'https://example.com/mcp' }));
    write(field('Transport'), 'stdio');
    expect(field(/^Command \(/).value).toBe('node');
  });
});
