'use client';

import { Monitor, Moon, Sun } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../ui/icon-button';
import { rememberChoice, THEME_COOKIE, THEMES, type Theme } from './theme';

const ICONS = { system: Monitor, light: Sun, dark: Moon };
const WORDS: Record<Theme, string> = { system: 'as the system', light: 'light', dark: 'dark' };

/** Steps through system, light and dark; this device remembers it. */
export function ThemeToggle({ initial }: { readonly initial: Theme }) {
  const [theme, setTheme] = useState(initial);
  const next = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? 'system';
  const choose = () => {
    rememberChoice(THEME_COOKIE, next);
    if (next === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = next;
    setTheme(next);
  };
  const Icon = ICONS[theme];
  return (
    <IconButton
      label={`Colours: ${WORDS[theme]}. Change to ${WORDS[next]}`}
      icon={<Icon size={16} aria-hidden="true" />}
      onClick={choose}
    />
  );
}
