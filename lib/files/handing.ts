import type { FileKind } from './file-kind';
import type { HandingWay } from './hand-over';

/** How a reference of a call was handed over, as its entry keeps it. */
export interface Handing {
  /** The reference as given. */
  readonly reference: string;
  readonly sha256: string;
  readonly sizeBytes: number;
  readonly name: string;
  readonly kind: FileKind;
  readonly way: HandingWay;
  /** What the server was told instead of the reference. */
  readonly path: string;
  /** Why the file was not staged and the local path went instead; null where all went well. */
  readonly degradation: string | null;
}
