import { describe, expect, it } from 'vitest';
import { never, openRawServers, textOf, textWith, watchedCall } from './testing';

const { connect, requireConnection } = openRawServers();
const MEBIBYTE = 1_048_576;
const SMALL = { limits: { max_message_bytes: MEBIBYTE } };

describe('a message over the limit', () => {
  it.each(['first', 'middle', 'last'])('ends the call that it answers wherever its id stands (%s), and no neighbour', async (where) => {
    const { connection } = await requireConnection('hugeAnswers', SMALL);
    const held = [connection.callTool(watchedCall('hold'), never), connection.callTool(watchedCall('hold'), never)];
    const huge = await connection.callTool(watchedCall('huge', { where }), never);
    expect(huge).toMatchObject({ kind: 'too_large', limitBytes: MEBIBYTE });
    expect(huge.kind === 'too_large' && huge.sizeBytes).toBeGreaterThan(2_000_000);
    expect((await Promise.all(held)).map(textOf)).toEqual(['held', 'held']);
    expect(textOf(await connection.callTool(watchedCall('echo', { a: 1 }), never))).toBe('{"a":1}');
  });

  it('ends no call where it is a notification, a request, a log record or text, whatever ids they carry', async () => {
    const { connection, remarks } = await requireConnection('hugeOthers', SMALL);
    expect(textOf(await connection.callTool(watchedCall('shout'), never))).toBe('shouted');
    expect(connection.strayLines.count).toBe(2);
    expect(remarks.filter((remark) => remark.includes('was let go'))).toHaveLength(2);
  });

  it('that never ends ends its call with both sizes, and the connection with the reason; memory stays flat', async () => {
    const { connection } = await requireConnection('endlessLine', SMALL);
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    const before = process.memoryUsage().rss;
    const [other, endless] = await Promise.all([
      connection.callTool(watchedCall('wait'), never),
      connection.callTool(watchedCall('endless'), never),
    ]);
    expect(endless).toMatchObject({ kind: 'too_large', limitBytes: MEBIBYTE });
    expect(other).toMatchObject({ kind: 'lost', failure: { code: 'endless_line' } });
    expect(await closed).toMatchObject({ code: 'endless_line', message: textWith(/16\.\d MiB.*1\.0 MiB/) });
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * MEBIBYTE);
  });

  it('that never ends and is no message is text, and ends the connection as well', async () => {
    const { connection } = await requireConnection('endlessLine', SMALL);
    expect(await connection.callTool(watchedCall('noise'), never)).toMatchObject({ kind: 'lost', failure: { code: 'endless_line' } });
    expect(connection.strayLines.first).toMatch(/^noise /);
  });

  it('is not one of 9 MiB, and a result nested to do harm ends its call alone', async () => {
    const { connection } = await requireConnection('longAnswers');
    expect(textOf(await connection.callTool(watchedCall('nine'), never))).toHaveLength(9 * MEBIBYTE);
    const deep = watchedCall('deep');
    expect(await connection.callTool(deep, never)).toMatchObject({ kind: 'protocol_error' });
    expect(deep.notes.map(({ text }) => text)).toEqual(['info: (nested too deep to be shown)']);
    expect(textOf(await connection.callTool(watchedCall('echo', {}), never))).toBe('{}');
  });
});

describe('an answer that shares its line with other text', () => {
  it('is read during set-up behind a mark or a carriage return', async () => {
    const { connection } = await requireConnection('marked');
    expect(connection.lists.toolList.tools.map(({ name }) => name)).toEqual(['echo']);
    expect(textOf(await connection.callTool(watchedCall('echo', {}), never))).toBe('{}');
  });

  it('is read during set-up for what set-up waits for alone, and forges nothing', async () => {
    const { connection } = await requireConnection('forgedInSetUp', { era: 'legacy' });
    expect(connection.lists.toolList.tools.map(({ name }) => name)).toEqual(['echo']);
    expect(connection.strayLines.count).toBe(6);
  });

  it('is never read after set-up: of a call it ends at its clock, quoted, of a list the one before stays', async () => {
    const { connection } = await requireConnection('gluedLater');
    expect(connection.lists.toolList.tools.map(({ name }) => name)).toEqual(['change', 'echo']);
    expect(textOf(await connection.callTool(watchedCall('change'), never))).toBe('{}');
    expect(await connection.callTool(watchedCall('forged'), AbortSignal.timeout(1_500))).toMatchObject({ kind: 'aborted', sent: true, quoted: textWith('"jsonrpc"') });
    const lists = await connection.refreshLists(AbortSignal.timeout(1_000));
    expect(lists.toolList.tools.map(({ name }) => name)).toEqual(['change', 'echo']);
    expect(lists.warnings.join()).toContain('could not be read again');
  });
});

describe('bytes on stdout', () => {
  it('may cut a character between two reads', async () => {
    const { connection } = await requireConnection('cutCharacters');
    expect(connection.facts.instructions).toBe('a\u2028b 🦊 ü');
    expect(connection.strayLines.count).toBe(0);
  });

  it('that are no UTF-8 end the connection at once, though the line goes on; what came before them counts', async () => {
    const { connection } = await requireConnection('badUtf8Later');
    const closed = new Promise((resolve) => connection.onClosed(resolve));
    expect(textOf(await connection.callTool(watchedCall('spoil'), never))).toBe('before the spoilt line');
    expect(await closed).toMatchObject({ code: 'not_utf8', message: textWith(/byte 0xC3 at offset \d+/) });
  });
});

describe('what claims to be a message and is none', () => {
  it.each(['no_result', 'null_result', 'both', 'text_result', 'version', 'error', 'error_code'])('ends the call that it would answer, quoted (%s)', async (form) => {
    const { connection, remarks } = await requireConnection('malformed');
    expect(await connection.callTool(watchedCall('spoil', { form }), never)).toMatchObject({ kind: 'protocol_error', quoted: textWith('"jsonrpc"') });
    expect(remarks.join()).toContain('invalid message');
    expect(textOf(await connection.callTool(watchedCall('echo', {}), never))).toBe('{}');
  });

  it.each(['request', 'notification'])('ends no call where it is a %s', async (form) => {
    const { connection, remarks } = await requireConnection('malformed');
    expect(textOf(await connection.callTool(watchedCall('spoil', { form }), never))).toBe('after it');
    expect(remarks.join()).toContain('invalid message');
  });

  it('is not what writes null for what it leaves out', async () => {
    const { connection, remarks } = await requireConnection('malformed');
    expect(await connection.callTool(watchedCall('spoil', { form: 'null_method' }), never)).toMatchObject({ kind: 'result' });
    const noted = watchedCall('spoil', { form: 'null_id' });
    expect(textOf(await connection.callTool(noted, never))).toBe('after it');
    expect(noted.notes.map(({ text }) => text)).toEqual(['info: a note with a null id']);
    expect(remarks).toEqual([]);
  });
});

describe('a batch', () => {
  it('is taken apart under the revision that has them', async () => {
    const { connection } = await requireConnection('batches', { env: { RAW_REVISION: '2025-03-26' } });
    expect(textOf(await connection.callTool(watchedCall('batch'), never))).toBe('in a batch');
    const two = watchedCall('two');
    expect(textOf(await connection.callTool(two, never))).toBe('of two');
    expect(two.notes.map(({ text }) => text)).toEqual(['info: in a batch']);
    expect(textOf(await connection.callTool(watchedCall('empty'), never))).toBe('after nothing');
  });

  it('ends its call as a protocol error under any other, and an empty one is text', async () => {
    const { connection } = await requireConnection('batches');
    expect(await connection.callTool(watchedCall('batch'), never)).toMatchObject({ kind: 'protocol_error', message: textWith('2025-03-26') });
    expect(await connection.callTool(watchedCall('two'), never)).toMatchObject({ kind: 'protocol_error', message: textWith('2025-03-26') });
    expect(textOf(await connection.callTool(watchedCall('empty'), never))).toBe('after nothing');
    expect(connection.strayLines.first).toContain('stranger');
  });
});

describe('what belongs to nothing', () => {
  it('disturbs nothing: progress after the end or of strangers, second answers, answers to nobody; it is counted', async () => {
    const { connection, remarks } = await requireConnection('chatter');
    const long = connection.callTool(watchedCall('chatter', { count: 400 }), never);
    for (let count = 0; count < 3; count += 1) expect(textOf(await connection.callTool(watchedCall('chatter'), never))).toBe('chattered');
    expect(textOf(await long)).toBe('chattered');
    await connection.callTool(watchedCall('echo'), never);
    expect(remarks).toEqual([]);
    expect(connection.strayLines.count).toBe(0);
    await connection.close();
    expect(remarks).toEqual([textWith(/^12 answers that nothing waited for and 1400 notes of progress/)]);
  });

  it('a request that the server takes back is over', async () => {
    const { connection } = await requireConnection('chatter');
    expect(await connection.callTool(watchedCall('takesBack'), never)).toMatchObject({ kind: 'rpc_error', message: textWith('changed my mind') });
    expect(textOf(await connection.callTool(watchedCall('echo', {}), never))).toBe('{}');
  });
});

describe('log messages', () => {
  it('show with the nearest level and the one that was sent, whatever their shape', async () => {
    const { connection, remarks } = await requireConnection('chatter');
    const call = watchedCall('levels');
    expect(textOf(await connection.callTool(call, never))).toBe('logged');
    expect(call.notes.map(({ text }) => text)).toEqual([
      'warning: raw: at warning', 'warning ("warn"): raw: at warn', 'error ("ERROR"): raw: at ERROR', 'info ("nonsense"): raw: at nonsense',
      'info: raw: at undefined', 'info: (it says nothing)', 'info: (it says nothing)',
    ]);
    expect(remarks).toEqual([]);
  });

  it('come early without harm', async () => {
    const { connection } = await requireConnection('earlyNotifications', { era: 'legacy' });
    expect(textOf(await connection.callTool(watchedCall('echo', {}), never))).toBe('{}');
  });

  it('in a flood keep nothing but the call that they come with', async () => {
    const { connection } = await requireConnection('chatter');
    const before = process.memoryUsage().rss;
    expect(textOf(await connection.callTool({ ...watchedCall('logs', { count: 100_000 }), onProgress: () => undefined }, never))).toBe('flooded');
    expect(process.memoryUsage().rss - before).toBeLessThan(150 * MEBIBYTE);
  });
});

it('names noise in the failure of a set-up that it prevented', async () => {
  const { opened } = await connect('bannerNoNl', { limits: { connect_s: 4 } });
  expect(opened).toMatchObject({ ok: false, error: { code: 'stdout_noise', message: textWith('loading model') } });
});
