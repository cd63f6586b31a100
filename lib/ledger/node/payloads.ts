import type { CallError } from '@/lib/calls';
import type { Json } from '@/lib/core';
import type { BlobStore } from '@/lib/files/node';
import { INLINE_PAYLOAD_BYTES, toPreview, type StoredPayload } from '..';
import { scrubError, scrubJson, type Scrubber } from './scrub';

/** Keeps what went over the wire with an entry, minus the vault's values: in the row, or as a blob with a preview. */
export class Payloads {
  private readonly blobs: BlobStore;
  private readonly redactor: Scrubber;

  constructor(options: { readonly blobs: BlobStore; readonly redactor: Scrubber }) {
    this.blobs = options.blobs;
    this.redactor = options.redactor;
  }

  /** Any size: a large one is written to disk piece by piece, so that other work goes on meanwhile. */
  async store(value: Json): Promise<StoredPayload> {
    const kept = this.scrub(value);
    const json = JSON.stringify(kept);
    if (isInline(json)) return toInline(json);
    return { kind: 'blob', ...(await this.blobs.put(json)), preview: toPreview(kept) };
  }

  /** As `store`, for what must be on record before its caller goes on. */
  storeSync(value: Json): StoredPayload {
    const kept = this.scrub(value);
    const json = JSON.stringify(kept);
    if (isInline(json)) return toInline(json);
    return { kind: 'blob', ...this.blobs.putSync(json), preview: toPreview(kept) };
  }

  /** The value as it is kept: the same object where nothing had to be taken out. */
  scrub(value: Json): Json {
    return scrubJson(value, this.redactor);
  }

  scrubError(error: CallError): CallError {
    return scrubError(error, this.redactor);
  }
}

/** A text of n characters has n bytes at least: the long ones need not be counted. */
const isInline = (json: string): boolean => json.length <= INLINE_PAYLOAD_BYTES && Buffer.byteLength(json) <= INLINE_PAYLOAD_BYTES;

const toInline = (json: string): StoredPayload => ({ kind: 'inline', json, sizeBytes: Buffer.byteLength(json) });
