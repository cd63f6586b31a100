import type { ServerEntry } from './entry';

export declare function secretFieldsOf(entry: ServerEntry): readonly string[];
export declare function redactEntry(entry: ServerEntry): ServerEntry;
