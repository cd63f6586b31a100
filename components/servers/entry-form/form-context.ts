'use client';

import { createContext, useContext } from 'react';
import { isObject } from '@/lib/core';
import type { Fields } from './entry-draft';

export interface EntryFormFacts {
  readonly fields: Fields;
  readonly set: (name: string, value: unknown) => void;
  /** What is wrong with a field or a part of it; empty where nothing is. */
  readonly errorOf: (name: string) => string;
  readonly disabled: boolean;
}

const EntryFormContext = createContext<EntryFormFacts>({ fields: {}, set: () => undefined, errorOf: () => '', disabled: true });

export const EntryFormProvider = EntryFormContext.Provider;

export const useEntryForm = (): EntryFormFacts => useContext(EntryFormContext);

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : typeof value === 'number' ? String(value) : '');

export const listOf = (value: unknown): readonly string[] => (Array.isArray(value) ? value.filter((item) => typeof item === 'string') : []);

export const mapOf = (value: unknown): readonly (readonly [string, string])[] =>
  isObject(value) ? Object.entries(value).map(([name, member]) => [name, typeof member === 'string' ? member : JSON.stringify(member)] as const) : [];
