import { may, roleFor, type Principal } from '@/lib/auth';
import { PLUMBING_TOOLS, type ManifestTool, type ServerSnapshot } from '@/lib/manifests';
import type { ServerRecord } from '@/lib/servers';
import { toConsoleError } from './console-error';
import type { CallError } from './outcome';
import type { CallRequest } from './request';

export type PolicyDecision =
  | { readonly kind: 'allowed'; readonly why: string }
  | { readonly kind: 'refused'; readonly error: CallError };

/** What can be decided before the server is asked for: role, server, exposure. */
export function decidePolicy(request: CallRequest, principal: Principal, record: ServerRecord | undefined): PolicyDecision {
  const { serverKey, tool } = request;
  const { name } = principal.actor;
  if (!may(principal.role, 'calls.make')) {
    return refuse('denied', request, `${name} may not call tools: that takes the role ${roleFor('calls.make')} or more.`);
  }
  if (record === undefined) {
    return refuse('not_connected', request, `There is no server with the key ${serverKey}.`, 'Choose a server of the servers page, or add this one there.');
  }
  if (!record.entry.enabled) {
    return refuse('not_connected', request, `${serverKey} is disabled, so nothing is sent to it.`, 'Enable it on its card, then call again.');
  }
  const who = `${name} (${principal.role}) called it by hand, which is its own approval`;
  if (isExposed(record, tool)) return { kind: 'allowed', why: `${who}; the tool is exposed.` };
  if (!request.requiresExposure && may(principal.role, 'servers.manage')) {
    return { kind: 'allowed', why: `${who}; the tool is not exposed, which an operator on the server's page need not mind.` };
  }
  return refuse(
    'not_exposed',
    request,
    PLUMBING_TOOLS.has(tool) ? `${tool} is for the console itself and is never exposed.` : `${tool} of ${serverKey} is not exposed.`,
  );
}

/** A plumbing call needs no exposure: the disclosure that was confirmed is its approval (product section 7). */
export function decidePlumbing(request: CallRequest, record: ServerRecord | undefined): PolicyDecision {
  if (record?.entry.enabled === true) return { kind: 'allowed', why: PLUMBING_WHY };
  return refuse('not_connected', request, `${request.serverKey} is gone or disabled, so nothing is sent to it.`);
}

/** Why the calls of uploads and of reading back are made. */
export const PLUMBING_WHY = 'The console moves the files of a call; what was confirmed for that call is the approval.';

/** Whether the tool is offered beyond the server's own page. */
const isExposed = ({ entry }: ServerRecord, tool: string): boolean =>
  !PLUMBING_TOOLS.has(tool) && (entry.tools === null || entry.tools.includes(tool));

/** What the server's own lists decide: whether it has the tool, and whether the tool works where it runs. */
export function decideOnTools(request: CallRequest, principal: Principal, snapshot: ServerSnapshot): PolicyDecision {
  const { serverKey, tool } = request;
  if (!snapshot.toolList.tools.some(({ name }) => name === tool)) {
    const aside = snapshot.toolList.setAside.find(({ name }) => name === tool);
    return aside === undefined
      ? refuse('no_such_tool', request, `${serverKey} lists no tool named ${tool}.`)
      : refuse('no_such_tool', request, `${serverKey} lists ${tool}, but it was set aside: ${aside.reason}`, 'Its author has to mend the list.');
  }
  const manifestTool = findManifestTool(snapshot, tool);
  if (manifestTool === null || manifestTool.available) return { kind: 'allowed', why: 'The tool works where the server runs.' };
  if (manifestTool.without !== null) return { kind: 'allowed', why: `The tool answers less here: ${manifestTool.without}` };
  if (request.tryAnyway && may(principal.role, 'servers.manage')) {
    return { kind: 'allowed', why: 'The server says that the tool does not work here; an operator tries anyway.' };
  }
  const { reason, remediation } = manifestTool;
  const error = toConsoleError(
    'unavailable_here',
    `${tool} does not work where ${serverKey} runs${reason === null ? '.' : `: ${reason}`}`,
    { serverKey, tool },
    remediation === null ? {} : { remediation, remediationBy: 'server' },
  );
  return { kind: 'refused', error };
}

export const findManifestTool = (snapshot: ServerSnapshot, tool: string): ManifestTool | null =>
  snapshot.manifest?.tools.find(({ name }) => name === tool) ?? null;

/** Whether hints of the server's are believed: an operator did not say otherwise, and a person saw its tools. */
export const isTrusted = (record: ServerRecord): boolean => record.entry.trusted && (record.reviewedAt !== null || record.source === 'file');

function refuse(
  code: 'denied' | 'not_connected' | 'not_exposed' | 'no_such_tool',
  { serverKey, tool }: CallRequest,
  message: string,
  remediation?: string,
): PolicyDecision {
  return { kind: 'refused', error: toConsoleError(code, message, { serverKey, tool }, remediation === undefined ? {} : { remediation }) };
}
