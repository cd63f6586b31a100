/** What a file that is handed over is (product section 8). */
export const FILE_KINDS = ['sample', 'capture', 'report', 'tool_file'] as const;
export type FileKind = (typeof FILE_KINDS)[number];

/** What a person says that a file is; a `tool_file` is known by the tool that wrote it. */
export const GIVEN_KINDS = ['sample', 'capture', 'report'] as const;
export type GivenKind = (typeof GIVEN_KINDS)[number];

/** The tool that wrote a file, and the entry of the call. */
export interface FileOrigin {
  readonly serverKey: string;
  readonly tool: string;
  readonly sequence: number;
  readonly entryId: string;
}

/** A content that can be handed to a server, under the name that it goes by. */
export interface HandedFile {
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly name: string;
  readonly kind: FileKind;
  /** Null where a person gave it. */
  readonly origin: FileOrigin | null;
}
