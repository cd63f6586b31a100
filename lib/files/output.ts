/** A file that a call's answer is to name (product section 10): `path` is a JMESPath over the answer's value. */
export interface OutputRequest {
  readonly name: string;
  readonly path: string;
}

/** One file of an output: taken into the store, or not, with the words that say why. */
export type OutputEnd =
  | { readonly taken: true; readonly output: string; readonly path: string; readonly name: string; readonly sha256: string; readonly sizeBytes: number }
  | { readonly taken: false; readonly output: string; readonly path: string | null; readonly words: string };

/** A file that a tool wrote and a run took: kept by its content, known by where it came from. */
export interface Artefact {
  readonly id: number;
  readonly runId: string;
  readonly sequence: number;
  readonly entryId: string;
  readonly serverKey: string;
  readonly tool: string;
  readonly output: string;
  /** As the answer named it. */
  readonly path: string;
  readonly name: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly takenAt: number;
}
