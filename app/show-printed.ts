import { may, type Role } from '@/lib/auth';
import { assertNever } from '@/lib/core';
import type { ConnectFailure, Evidence, ServerState } from '@/lib/pool';
import { strayWarning, type ConnectionTestResult } from '@/lib/testing-connections';

/** What a server printed is contents: of it, those who may not see contents get that there was something, not what. */
const seesPrinted = (role: Role): boolean => may(role, 'ledger.see_contents');

export function showStrayLines<Lines extends { readonly first: string | null }>(lines: Lines, role: Role): Lines {
  return seesPrinted(role) ? lines : { ...lines, first: null };
}

export function showState(state: ServerState, role: Role): ServerState {
  if (seesPrinted(role)) return state;
  switch (state.name) {
    case 'failing':
    case 'sign_in_needed':
      return { ...state, failure: withoutPrinted(state.failure) };
    case 'starting':
      return state.lastFailure === undefined ? state : { ...state, lastFailure: withoutPrinted(state.lastFailure) };
    case 'disabled':
    case 'untested':
    case 'connected':
    case 'idle':
    case 'resting':
      return state;
    default:
      return assertNever(state);
  }
}

export function showTest(test: ConnectionTestResult, role: Role): ConnectionTestResult {
  if (seesPrinted(role)) return test;
  const strayLines = showStrayLines(test.strayLines, role);
  // The sentence of such lines quotes the first of them.
  const untold = (text: string): string => text.replaceAll(strayWarning(test.strayLines), strayWarning(strayLines));
  return {
    ...test,
    strayLines,
    warnings: test.warnings.map(untold),
    failure: test.failure === null ? null : withoutPrinted(test.failure),
    stages: test.stages.map((stage) => ({ ...withoutPrinted(stage), detail: untold(stage.detail) })),
  };
}

function withoutPrinted<Told extends ConnectFailure | ConnectionTestResult['stages'][number]>(told: Told): Told {
  const { stderr: _stderr, stdout: _stdout, body: _body, ...evidence }: Evidence = told.evidence;
  return { ...told, evidence };
}
