import { isJsonObject, type Json } from '@/lib/core';

/** What the texts of some arguments name; each once, in the order in which they stand, bounded. */
export interface Indicators {
  readonly hashes: readonly string[];
  readonly domains: readonly string[];
  readonly addresses: readonly string[];
  readonly urls: readonly string[];
}

/** More of a kind than a person reads; the bytes are counted whole. */
const MOST_OF_A_KIND = 200;
const LONGEST_TEXT = 256 * 1024;

const URL_TEXT = /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>\\^`{|}]{1,2048}/giu;
const HASH = /(?<![0-9a-z])(?:[0-9a-f]{128}|[0-9a-f]{96}|[0-9a-f]{64}|[0-9a-f]{56}|[0-9a-f]{40}|[0-9a-f]{32})(?![0-9a-z])/giu;
const IPV4 = /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.]*\d)/gu;
/** Looks like one; whether it is one, the parser of addresses says. */
const IPV6_LIKE = /(?<![\w.:])[0-9a-f]{0,4}:[0-9a-f:]{1,37}(?:\d{1,3}(?:\.\d{1,3}){3})?(?![\w:])/giu;
const DOMAIN = /(?<![\p{L}\p{N}_.@/\\-])(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.)+(?:[a-z]{2,24}|xn--[a-z0-9-]{2,59})(?![\p{L}\p{N}_(])/giu;
/** Ends of file names that are no top-level domains. */
const FILE_NAME = /\.(?:exe|dll|sys|pdf|txt|docx?|xlsx?|pptx?|rtf|jsonl?|xml|html?|css|js|mjs|ts|ya?ml|csv|log|png|jpe?g|gif|bmp|ico|svg|gz|tar|tgz|rar|7z|iso|img|bin|dat|db|pcapng?|eml|msg|elf|apk|jar|class|ps1|bat|cmd|vbs|lnk|tmp|bak|cfg|conf|ini)$/iu;

/** The hashes, domains, IP addresses and URLs that the strings of a value hold, names of members included. */
export function findIndicators(value: Json): Indicators {
  const found = { hashes: new Set<string>(), domains: new Set<string>(), addresses: new Set<string>(), urls: new Set<string>() };
  for (const text of listTexts(value)) {
    const head = text.slice(0, LONGEST_TEXT);
    gather(found.urls, head, URL_TEXT);
    const rest = head.replace(URL_TEXT, ' ');
    gather(found.hashes, rest, HASH);
    gather(found.addresses, rest, IPV4);
    gather(found.addresses, rest, IPV6_LIKE, isIpv6);
    gather(found.domains, rest.replace(IPV4, ' '), DOMAIN, (name) => !FILE_NAME.test(name));
  }
  return { hashes: [...found.hashes], domains: [...found.domains], addresses: [...found.addresses], urls: [...found.urls] };
}

export const hasIndicators = ({ hashes, domains, addresses, urls }: Indicators): boolean =>
  hashes.length + domains.length + addresses.length + urls.length > 0;

function gather(into: Set<string>, text: string, pattern: RegExp, isOne: (match: string) => boolean = () => true): void {
  for (const [match] of text.matchAll(pattern)) {
    if (into.size >= MOST_OF_A_KIND) return;
    if (isOne(match)) into.add(match);
  }
}

function* listTexts(value: Json): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (isList(value)) for (const item of value) yield* listTexts(item);
  else if (isJsonObject(value)) {
    for (const [name, member] of Object.entries(value)) {
      yield name;
      yield* listTexts(member);
    }
  }
}

function isIpv6(text: string): boolean {
  try {
    return new URL(`http://[${text}]`).hostname !== '';
  } catch {
    return false;
  }
}

const isList = (value: Json): value is readonly Json[] => Array.isArray(value);
