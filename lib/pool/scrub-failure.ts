import type { ConnectFailure, Evidence } from './failure';

/** Takes secrets out of a text that people see. */
export type Scrub = (text: string) => string;

/** A copy of the evidence without secrets: what a server prints or answers may repeat what it was given. */
export function scrubEvidence(evidence: Evidence, scrub: Scrub): Evidence {
  const { stderr, stdout, body, closeReason, headers, detail, path } = evidence;
  return {
    ...evidence,
    ...(stderr === undefined ? {} : { stderr: stderr.map(scrub) }),
    ...(stdout === undefined ? {} : { stdout: stdout.map(scrub) }),
    ...(body === undefined ? {} : { body: scrub(body) }),
    ...(closeReason === undefined ? {} : { closeReason: scrub(closeReason) }),
    ...(headers === undefined
      ? {}
      : { headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, scrub(value)])) }),
    ...(detail === undefined ? {} : { detail: scrub(detail) }),
    ...(path === undefined ? {} : { path: scrub(path) }),
  };
}

export const scrubFailure = (failure: ConnectFailure, scrub: Scrub): ConnectFailure => ({
  ...failure,
  message: scrub(failure.message),
  remediation: scrub(failure.remediation),
  evidence: scrubEvidence(failure.evidence, scrub),
});
