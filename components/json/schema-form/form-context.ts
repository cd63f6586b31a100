'use client';

import { createContext, useContext } from 'react';

/** Puts a file where the server can open it and answers its path; rejects with a sentence. */
export type ChooseFile = (file: File) => Promise<string>;

export interface SchemaFormFacts {
  /** Sentences by the pointer of the value that they concern. */
  readonly misfits: ReadonlyMap<string, readonly string[]>;
  /** null where the server cannot open what this console stores. */
  readonly chooseFile: ChooseFile | null;
}

const SchemaFormContext = createContext<SchemaFormFacts>({ misfits: new Map(), chooseFile: null });

export const SchemaFormProvider = SchemaFormContext.Provider;

export const useSchemaForm = (): SchemaFormFacts => useContext(SchemaFormContext);
