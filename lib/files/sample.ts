import type { GivenKind } from './file-kind';

/** What the bundled server said of a content, and the entries of the calls. */
export interface SampleFacts {
  readonly readAt: number;
  /** Its words for the type: a name, a media type, whatever `identify_file` answered. */
  readonly identity: Readonly<Record<string, unknown>> | null;
  readonly hashes: Readonly<Record<string, unknown>> | null;
  /** Why a part is missing, in a sentence each. */
  readonly problems: readonly string[];
  readonly entries: readonly number[];
}

/** A content that a person or the command line gave; its names are kept apart from it. */
export interface Sample {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly kind: GivenKind;
  /** Newest first; never empty. */
  readonly names: readonly SampleName[];
  readonly addedAt: number;
  readonly addedBy: string;
  readonly facts: SampleFacts | null;
}

export interface SampleName {
  readonly name: string;
  readonly addedAt: number;
  readonly addedBy: string;
}
