import { z } from 'zod';

import { toVisibleText } from '@/lib/core';

export const memberWire = z.object({
  name: z.string().describe('With characters that cannot be seen written out.'),
  kind: z.enum(['file', 'folder', 'link', 'other']),
  size: z.number().nullable().describe('Unpacked, in bytes; null where the archive does not say.'),
  compressed_size: z.number().nullable(),
  modified: z.string().nullable().describe('ISO 8601; without a zone where the archive gives local time.'),
  encrypted: z.boolean(),
  link_target: z.string().nullable(),
});

export type Member = z.infer<typeof memberWire>;

export const listingWire = z.object({
  format: z.enum(['zip', 'tar', 'gzip', 'tar.gz']),
  members: z.array(memberWire),
  total: z.int().describe('Members seen, those not answered included.'),
  truncated: z.boolean().describe('Whether there are more members than answered.'),
  complete: z.boolean().describe('False where the archive is cut off, damaged or too large to read to its end; a warning says which.'),
  total_size: z.number().describe('Unpacked bytes of all members seen, as far as the archive says.'),
  encrypted: z.boolean().describe('Whether any member is.'),
  warnings: z.array(z.string()),
});

export type Listing = z.infer<typeof listingWire>;

/** Names that an archive gives may be long enough to fill an answer by themselves. */
const LONGEST_NAME = 1024;
const MOST_WARNINGS = 10;

/** Collects members up to a bound and counts the rest. */
export class ListingBuilder {
  private readonly members: Member[] = [];
  private readonly warnings: string[] = [];
  private total = 0;
  private totalSize = 0;
  private encrypted = false;
  private complete = true;
  private escaping = 0;

  constructor(
    readonly format: Listing['format'],
    private readonly most: number,
  ) {}

  add(member: Member): void {
    this.total += 1;
    this.totalSize += member.size ?? 0;
    this.encrypted ||= member.encrypted;
    if (isEscaping(member.name)) {
      this.escaping += 1;
      if (this.escaping === 1) this.warn(`The member ${shorten(member.name)} names a place outside the folder it would be unpacked into.`);
    }
    if (this.members.length < this.most) {
      this.members.push({
        ...member,
        name: shorten(member.name),
        link_target: member.link_target === null ? null : shorten(member.link_target),
      });
    }
  }

  warn(text: string): void {
    if (this.warnings.length < MOST_WARNINGS) this.warnings.push(text);
  }

  /** The archive could not be read to its end. */
  breakOff(text: string): void {
    this.complete = false;
    this.warn(text);
  }

  get count(): number {
    return this.total;
  }

  toListing(): Listing {
    const { format, members, total, complete, totalSize, encrypted, warnings } = this;
    if (this.escaping > 1) this.warn(`${this.escaping} members name places outside that folder.`);
    return { format, members, total, truncated: total > members.length, complete, total_size: totalSize, encrypted, warnings };
  }
}

/** A name that would leave the folder of its archive: absolute, with a drive, or going up. */
export const isEscaping = (name: string): boolean => /^(?:[/\\]|[A-Za-z]:)/.test(name) || name.split(/[/\\]/).includes('..');

function shorten(name: string): string {
  const visible = toVisibleText(name).replace(/[\t\n]/g, (character) => (character === '\t' ? '<U+0009>' : '<U+000A>'));
  return visible.length > LONGEST_NAME ? `${visible.slice(0, LONGEST_NAME)}… (${name.length} characters)` : visible;
}

const STRICT_UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Bytes of a name as text: UTF-8 where they are valid UTF-8, otherwise by `fallback`. */
export function decodeName(bytes: Uint8Array, fallback: (bytes: Uint8Array) => string): string {
  try {
    return STRICT_UTF8.decode(bytes);
  } catch {
    return fallback(bytes);
  }
}

/** Milliseconds since 1970 as ISO 8601, null where no date can be made of it. */
export function toIsoOrNull(at: number): string | null {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? null : date.toISOString();
}
