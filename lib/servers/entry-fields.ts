import type { ServerEntry } from './entry';

export declare function toEntryFields(entry: ServerEntry): Readonly<Record<string, unknown>>;
