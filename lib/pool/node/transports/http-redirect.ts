import { explainFailure } from '../..';
import type { Subject } from './http-refusal';
import { orTheProxy } from './proxy-answer';
import { WireRefusal } from './transport';
import { isSecure } from './tunnel';

const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);
const MOST_HOPS = 3;
/** How much of a location is kept as evidence. */
const LONGEST_LOCATION = 2_000;

/**
 * Makes a request and follows where it is sent on to, as far as that is the same server: the same origin, or the https
 * form of the same host, and only where method and body stay (307, 308; any for GET). Nothing is sent anywhere else.
 * @throws WireRefusal `redirected`, which names where it leads
 */
export async function followRedirects(
  first: URL,
  method: string,
  request: (url: URL) => Promise<Response>,
  subject: Subject,
): Promise<Response> {
  let url = first;
  for (let hops = 0; ; hops += 1) {
    const response = await request(url);
    if (!REDIRECTS.has(response.status)) return response;
    await response.body?.cancel().catch(() => undefined);
    const target = findTarget(url, response);
    const why = decideRefusal(url, target, method, response.status, hops);
    if (why !== null) throw toRedirectRefusal(url, response, why, subject);
    url = target ?? url;
  }
}

function findTarget(from: URL, response: Response): URL | null {
  const location = response.headers.get('location');
  if (location === null || !URL.canParse(location, from)) return null;
  return new URL(location, from);
}

/** Why a redirect is not followed, after "to …"; null where it is. */
function decideRefusal(from: URL, target: URL | null, method: string, status: number, hops: number): string | null {
  if (target === null) return 'which is no address';
  if (!isWeb(target)) return 'which is no address of the web: nothing was sent there';
  if (!isSameServer(from, target)) return 'which is another address: nothing was sent there';
  if (method !== 'GET' && status !== 307 && status !== 308) return 'in a way that would lose what was sent';
  if (hops >= MOST_HOPS) return `after ${MOST_HOPS} redirects already: it may lead in a circle`;
  return null;
}

function isSameServer(from: URL, target: URL): boolean {
  if (target.username !== '' || target.password !== '') return false;
  if (target.origin === from.origin) return true;
  return from.protocol === 'http:' && target.protocol === 'https:' && target.hostname === from.hostname;
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:';

/** An address without user, password, query and fragment. */
function toBare(url: URL): string {
  const bare = new URL(url);
  [bare.username, bare.password, bare.search, bare.hash] = ['', '', '', ''];
  return bare.href;
}

/** What is told of a redirect that is not followed; what is no address of the web is quoted, and not proposed as one. */
export function toRedirectRefusal(from: URL, response: Response, why: string, subject: Subject): WireRefusal {
  const { status, headers } = response;
  const target = findTarget(from, response);
  const given = target === null ? headers.get('location')?.trim() : toBare(target);
  const location = target !== null && isWeb(target) ? given : undefined;
  const place = location ?? `"${given ?? ''}"`;
  const said = given === undefined || given === '' ? `HTTP ${status} without a place to go to` : `to ${place} (HTTP ${status}), ${why}`;
  const evidence = { httpStatus: status, ...(given !== undefined && { headers: { location: given.slice(0, LONGEST_LOCATION) } }) };
  const failure = explainFailure('redirected', { stage: 'http', ...subject, said, location, evidence });
  // Whoever redirects has not carried the request out.
  return new WireRefusal(subject.proxy === undefined || isSecure(from) ? failure : orTheProxy(failure, subject.proxy), true, undefined, null);
}

export const isRedirect = (response: Response): boolean => REDIRECTS.has(response.status);
