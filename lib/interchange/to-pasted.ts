/** The JSON that stands in the field for what the form says; takes incomplete forms too. */
export declare function toPasted(fields: Readonly<Record<string, unknown>>): string;
