import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json, JsonObject } from '@/lib/core';
import { fromRpcError, readAnswer } from './read-answer';

const facts = { serverKey: 'fs', tool: 'read' };
const read = (result: JsonObject, readsErrors = true) => readAnswer(result, { readsErrors, facts });
const text = (value: Json): JsonObject => ({ content: [{ type: 'text', text: typeof value === 'string' ? value : JSON.stringify(value) }] });

describe('an answer', () => {
  it('has the structured content as its value, else its only text as JSON, else the text', () => {
    expect(read({ structuredContent: { a: 1 }, content: [{ type: 'text', text: 'x' }] }).value).toEqual({ a: 1 });
    expect(read({ content: [{ type: 'image', data: '', mimeType: 'image/png' }, { type: 'text', text: '[1, 2]' }] }).value).toEqual([1, 2]);
    expect(read({ content: [{ type: 'text', text: '1' }, { type: 'text', text: 'two' }] }).value).toBe('1\ntwo');
    expect(read(text('plain')).value).toBe('plain');
    expect(read({ content: null }).value).toBe('');
  });

  it('is read as far as it goes where its content is no list, with a warning that says what is wrong', () => {
    const readings: readonly [JsonObject, Json, string][] = [
      [{ content: null }, '', 'its content is null'],
      [{ content: 'all is well' }, 'all is well', 'its content is a text'],
      [{ content: { type: 'text', text: '[1]' } }, [1], 'its content is one object'],
      [{}, '', 'it has no content'],
      [{ content: [{ type: 'text', text: 'kept' }, null] }, 'kept', '1 of its 2 content blocks is malformed'],
    ];
    for (const [result, value, fault] of readings) {
      const reading = read(result);
      expect(reading).toMatchObject({ value, error: null });
      expect(reading.warnings).toEqual([expect.stringContaining(fault)]);
    }
    expect(read({ content: 'it is locked', isError: true }).error).toMatchObject({ code: 'tool_failed', message: 'it is locked' });
    expect(read({ structuredContent: { a: 1 } }).warnings).toEqual([]);
  });

  it('is an error by its envelope, with the remedy of the server', () => {
    const { error } = read({
      structuredContent: { error: { code: 'missing_dependency', message: 'unrar is not there', remediation: 'apt install unrar' }, tool: 'unpack' },
    });
    expect(error).toMatchObject({
      code: 'missing_dependency', message: 'unrar is not there', remediation: 'apt install unrar', remediationBy: 'server', readFromText: false,
    });
  });

  it('gets the remedy of the console, marked so, where the server gives none', () => {
    const { error } = read(text({ error: { code: 'timeout', message: 'slow' } }));
    expect(error).toMatchObject({ code: 'timeout', remediationBy: 'console', readFromText: true });
    expect(error?.remediation).toContain('limits.tools.read');
  });

  it.each<[Json, Partial<{ code: string; message: string; httpStatus: number }>]>([
    [{ error: 'no such file' }, { code: 'tool_failed', message: 'no such file' }],
    [{ error: 'not_found', message: 'No page of that name' }, { code: 'not_found', message: 'No page of that name' }],
    [{ http_status: 404, message: 'gone' }, { code: 'tool_failed', message: 'gone', httpStatus: 404 }],
    [{ http_status: 500, code: 17 }, { code: '17', httpStatus: 500 }],
    [{ error: { code: 429 }, details: { a: 1 } }, { code: '429' }],
  ])('is an error in the flat forms: %j', (value, expected) => {
    expect(read(text(value)).error).toMatchObject(expected);
  });

  it.each<Json>([
    { error: null }, { error: false }, { error: '' }, { error: {} }, { error: { message: 'no code' } },
    { error: { code: 'x' }, extra: 1 }, { http_status: 200, message: 'fine' }, { http_status: 404 }, { code: 'x', message: 'y' }, [], 'error', 7,
  ])('is no error: %j', (value) => {
    expect(read(text(value)).error).toBeNull();
    expect(read({ structuredContent: value }).error).toBeNull();
  });

  it('is not read out of a text where the server says so, but is out of structured content', () => {
    const value = { error: { code: 'x', message: 'y' } };
    expect(read(text(value), false).error).toBeNull();
    expect(read({ structuredContent: value }, false).error?.code).toBe('x');
  });

  it('is `tool_failed` with its text where isError stands beside plain text', () => {
    expect(read({ isError: true, ...text('it broke') }).error).toMatchObject({ code: 'tool_failed', message: 'it broke', readFromText: false });
    expect(read({ isError: true, content: [] }).error).toMatchObject({ code: 'tool_failed', message: 'The tool failed and said nothing about it.' });
  });

  it('keeps the code of an envelope under isError, whatever stands beside it', () => {
    expect(read({ isError: true, ...text({ error: { code: 'quota', message: 'spent' }, hint: 'tomorrow' }) }).error).toMatchObject({ code: 'quota', message: 'spent' });
  });

  it('is an error with a warning where isError is the text "true"', () => {
    const { error, warnings } = read({ isError: 'true', ...text('it broke') });
    expect(error?.message).toBe('it broke');
    expect(warnings).toHaveLength(1);
  });

  it('is read whatever the server sends', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom('content', 'structuredContent', 'isError', 'x'), fc.jsonValue()), (result) => {
        const { error } = read(result as JsonObject);
        if (error !== null) expect(error.remediation).not.toBe('');
      }),
    );
  });
});

describe('a JSON-RPC error', () => {
  it('keeps its number and message', () => {
    expect(fromRpcError({ code: -32601, message: 'Method not found', data: undefined }, facts)).toMatchObject({
      code: 'protocol_error', message: 'Method not found', rpcCode: -32601, remediationBy: 'console', details: null,
    });
  });

  it('is read by an envelope in its data', () => {
    const data = { error: { code: 'not_configured', message: 'no key', remediation: 'set KEY' } };
    expect(fromRpcError({ code: -32000, message: 'failed', data }, facts)).toMatchObject({ code: 'not_configured', remediation: 'set KEY', rpcCode: -32000 });
  });
});
