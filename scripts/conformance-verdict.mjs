// What a run of the conformance suite says, read from what it prints.

/**
 * One scenario of one revision.
 * @typedef {object} ScenarioResult
 * @property {string} scenario
 * @property {number} failed
 * @property {number} warnings
 * @property {boolean} isScored whether the revision requires it
 * @property {readonly string[]} details the checks that failed, in the suite's words
 * @property {readonly string[]} complaints what our client said when it gave up
 */

/** A scenario that is known to fail, and what will end that. @typedef {{ scenario: string, endedBy: string }} ExpectedFailure */

/**
 * @typedef {object} Verdict
 * @property {readonly string[]} passed
 * @property {readonly string[]} expected failed as was expected
 * @property {readonly string[]} notRequired failed: a sign-in that the revision does not require
 * @property {readonly string[]} problems a sentence each; none is a pass
 */

const SUMMARY = '=== SUITE SUMMARY ===';
const SCENARIO_LINE = /^[✓✗] (\S+): \d+ passed, (\d+) failed(?:, (\d+) warnings)?$/;
const DETAIL_LINE = /^ {4}- (.+)$/;
const NOT_SCORED_LINE = /^ {2}[✓✗] (\S+) \(.+\)$/;
const COMPLAINT_LINE = /^conformance client: (\S+): (.+)$/;

/** What needs a sign-in is named so by the suite. */
const needsSignIn = (/** @type {string} */ scenario) => scenario.startsWith('auth/');

/** Every scenario that a run of one revision printed a result for. @param {string} output @returns {ScenarioResult[]} */
export function readSummary(output) {
  const [before = '', summary = ''] = output.split(SUMMARY);
  const notScored = new Set(summary.split('\n').flatMap((line) => NOT_SCORED_LINE.exec(line)?.[1] ?? []));
  const complaints = before.split('\n').flatMap((line) => {
    const [, scenario, sentence] = COMPLAINT_LINE.exec(line) ?? [];
    return scenario && sentence ? [{ scenario, sentence }] : [];
  });
  /** @type {(ScenarioResult & { details: string[] })[]} */
  const results = [];
  for (const line of summary.split('\n')) {
    const [, scenario, failed, warnings = '0'] = SCENARIO_LINE.exec(line) ?? [];
    const detail = DETAIL_LINE.exec(line)?.[1];
    if (scenario) {
      results.push({
        scenario,
        failed: Number(failed),
        warnings: Number(warnings),
        isScored: !notScored.has(scenario),
        details: [],
        complaints: complaints.filter((complaint) => complaint.scenario === scenario).map(({ sentence }) => sentence),
      });
    } else if (detail) results.at(-1)?.details.push(detail);
  }
  return results;
}

/**
 * Judges one revision, more strictly than the suite does: a warning is a failure, so is a client that gave up where
 * nobody asked it to sign in, and what the revision does not require passes as well unless it needs a sign-in. An
 * expected failure that passes is a problem, so that the list stays true.
 * @param {readonly ScenarioResult[]} results @param {readonly ExpectedFailure[]} expectedFailures @returns {Verdict}
 */
export function judge(results, expectedFailures) {
  const expectedNames = new Set(expectedFailures.map(({ scenario }) => scenario));
  const passed = [];
  const expected = [];
  const notRequired = [];
  const problems = results.length === 0 ? ['The suite printed no results.'] : [];
  for (const { scenario, failed, warnings, isScored, details, complaints } of results) {
    const isFailed = failed > 0 || warnings > 0 || (complaints.length > 0 && !needsSignIn(scenario));
    if (!isFailed && expectedNames.has(scenario)) problems.push(`${scenario} passes: take it off the list of expected failures.`);
    else if (!isFailed) passed.push(scenario);
    else if (!isScored && needsSignIn(scenario)) notRequired.push(scenario);
    else if (expectedNames.has(scenario)) expected.push(scenario);
    else problems.push([`${scenario} failed.`, ...details, ...(warnings > 0 ? [`${warnings} warnings`] : []), ...complaints].join('\n    '));
  }
  return { passed, expected, notRequired, problems };
}

/**
 * What is wrong with the list itself: each entry names a scenario that some revision requires and that needs a
 * sign-in, and says what will end it.
 * @param {readonly ExpectedFailure[]} expectedFailures @param {readonly ScenarioResult[]} results of every revision
 * @returns {string[]}
 */
export function checkExpectedFailures(expectedFailures, results) {
  const required = new Set(results.filter(({ isScored }) => isScored).map(({ scenario }) => scenario));
  return expectedFailures.flatMap(({ scenario, endedBy }, index) => [
    ...(needsSignIn(scenario) ? [] : [`${scenario} needs no sign-in: it may not be expected to fail.`]),
    ...(required.has(scenario) ? [] : [`${scenario} is expected to fail, but no revision requires it.`]),
    ...(endedBy.trim() === '' ? [`${scenario} is expected to fail, but nothing says what will end that.`] : []),
    ...(expectedFailures.findIndex((other) => other.scenario === scenario) === index ? [] : [`${scenario} stands twice among the expected failures.`]),
  ]);
}
