'use client';

import { useEffect, useRef, useState } from 'react';
import { Input } from '../ui/input';
import type { FilterDefinition, FilterValues } from './definition';

/** A pause in typing that ends a text which the server searches for, in ms. */
const PAUSE_MS = 300;

interface TextFilterProps {
  readonly definition: Extract<FilterDefinition, { readonly kind: 'text' }>;
  readonly values: FilterValues;
  readonly onChange: (values: FilterValues) => void;
}

export function TextFilter({ definition, values, onChange }: TextFilterProps) {
  const { key, label } = definition;
  const pauseMs = definition.searched === true ? PAUSE_MS : 0;
  const set = values[key]?.[0] ?? '';
  const [typed, setTyped] = useState({ text: set, from: set });
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  // Cleared by its chip, or set by a link: what was typed before no longer counts.
  if (typed.from !== set) setTyped({ text: set, from: set });

  const newest = useRef({ values, onChange });
  useEffect(() => {
    newest.current = { values, onChange };
  });
  const settle = (text: string) => {
    clearTimeout(timer.current);
    newest.current.onChange({ ...newest.current.values, [key]: text === '' ? [] : [text] });
  };
  return (
    <Input
      type="search"
      aria-label={label}
      placeholder={label}
      value={pauseMs === 0 ? set : typed.text}
      onChange={(event) => {
        const text = event.target.value;
        if (pauseMs === 0) {
          settle(text);
          return;
        }
        setTyped({ text, from: set });
        clearTimeout(timer.current);
        timer.current = setTimeout(() => settle(text), pauseMs);
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && pauseMs > 0) settle(event.currentTarget.value);
      }}
      className="max-w-56 text-sm"
    />
  );
}
