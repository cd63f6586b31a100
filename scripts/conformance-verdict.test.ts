import { describe, expect, it } from 'vitest';
import { checkExpectedFailures, judge, readSummary } from './conformance-verdict.mjs';

const OUTPUT = `Starting scenario: initialize
conformance client: sse-retry: the call was lost
conformance client: auth/basic: unauthorized: It asks for a sign-in.

=== SUITE SUMMARY ===

✓ initialize: 1 passed, 0 failed
✗ sse-retry: 1 passed, 1 failed, 1 warnings
    - ClientRespectsRetryField: Client reconnected too early: 3 passed, 1 failed
✗ auth/basic: 1 passed, 2 failed
    - first: one
    - second: two
✗ auth/dpop: 0 passed, 1 failed
    - DpopFreshProof: never
✓ extra: 9 passed, 0 failed

Total: 12 passed, 4 failed, 1 warnings

Not scored for 2025-11-25: 2 scenario(s) run, 1 failing. These do not affect conformance.
  ✗ auth/dpop (extension)
  ✓ extra (added-after-release)
`;

const entry = (scenario: string, endedBy = 'a sign-in') => ({ scenario, endedBy });
const passing = (scenario: string) => ({ scenario, failed: 0, warnings: 0, isScored: true, details: [], complaints: [] });

describe('readSummary', () => {
  it('reads every scenario with what failed in it, in the words of the suite and of our client', () => {
    expect(readSummary(OUTPUT)).toEqual([
      { scenario: 'initialize', failed: 0, warnings: 0, isScored: true, details: [], complaints: [] },
      {
        scenario: 'sse-retry', failed: 1, warnings: 1, isScored: true, complaints: ['the call was lost'],
        details: ['ClientRespectsRetryField: Client reconnected too early: 3 passed, 1 failed'],
      },
      { scenario: 'auth/basic', failed: 2, warnings: 0, isScored: true, details: ['first: one', 'second: two'], complaints: ['unauthorized: It asks for a sign-in.'] },
      { scenario: 'auth/dpop', failed: 1, warnings: 0, isScored: false, details: ['DpopFreshProof: never'], complaints: [] },
      { scenario: 'extra', failed: 0, warnings: 0, isScored: false, details: [], complaints: [] },
    ]);
  });

  it('reads nothing from a run that broke before its summary', () => {
    expect(readSummary('Error: no such revision')).toEqual([]);
    expect(readSummary('')).toEqual([]);
  });
});

describe('judge', () => {
  it('tells passes, expected failures, what is not required and problems apart', () => {
    expect(judge(readSummary(OUTPUT), [entry('auth/basic')])).toEqual({
      passed: ['initialize', 'extra'],
      expected: ['auth/basic'],
      notRequired: ['auth/dpop'],
      problems: ['sse-retry failed.\n    ClientRespectsRetryField: Client reconnected too early: 3 passed, 1 failed\n    1 warnings\n    the call was lost'],
    });
  });

  it('takes an expected failure that passes for a problem', () => {
    expect(judge([passing('auth/basic')], [entry('auth/basic')])).toMatchObject({ passed: [], problems: [expect.stringContaining('auth/basic passes')] });
  });

  it('takes a warning alone for a failure', () => {
    expect(judge([{ ...passing('request-metadata'), warnings: 1 }], [])).toMatchObject({ passed: [], problems: [expect.stringContaining('1 warnings')] });
  });

  it('takes a client that gave up for a failure, though every check passed; a refused sign-in is none', () => {
    const gaveUp = { complaints: ['it is not done'] };
    expect(judge([{ ...passing('tools_call'), ...gaveUp }], [])).toMatchObject({ passed: [], problems: [expect.stringContaining('it is not done')] });
    expect(judge([{ ...passing('auth/resource-mismatch'), ...gaveUp }], [])).toMatchObject({ passed: ['auth/resource-mismatch'], problems: [] });
  });

  it('lets nothing fail that needs no sign-in, required or not', () => {
    expect(judge([{ ...passing('extra'), failed: 1, isScored: false }], [])).toMatchObject({ notRequired: [], problems: [expect.stringContaining('extra failed')] });
  });

  it('takes a run without results for a problem', () => {
    expect(judge([], [])).toMatchObject({ problems: ['The suite printed no results.'] });
  });
});

describe('checkExpectedFailures', () => {
  const results = [{ ...passing('auth/basic'), failed: 1 }, { ...passing('tools_call'), failed: 1 }, { ...passing('auth/dpop'), isScored: false }];

  it('is content with required scenarios that need a sign-in and say what ends them', () => {
    expect(checkExpectedFailures([entry('auth/basic')], results)).toEqual([]);
  });

  it.each([
    ['needs no sign-in', [entry('tools_call')], 'tools_call needs no sign-in'],
    ['is not required', [entry('auth/dpop')], 'no revision requires it'],
    ['is unknown', [entry('auth/gone')], 'no revision requires it'],
    ['says nothing of its end', [entry('auth/basic', ' ')], 'nothing says what will end that'],
    ['stands twice', [entry('auth/basic'), entry('auth/basic')], 'stands twice'],
  ])('names an entry that %s', (_what, entries, sentence) => {
    expect(checkExpectedFailures(entries, results)).toEqual([expect.stringContaining(sentence)]);
  });
});
