import type { ServerEntry } from './entry';

export declare const CONNECTION_FIELDS: ReadonlySet<string>;
export declare function isSameConnection(one: ServerEntry, other: ServerEntry): boolean;
