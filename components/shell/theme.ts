/** Light or dark, or as the system says. */
export const THEMES = ['system', 'light', 'dark'] as const;
export type Theme = (typeof THEMES)[number];

/** A cookie rather than local storage: the server renders the right ground, so nothing flashes. */
export const THEME_COOKIE = 'signalbox_theme';
export const RAIL_COOKIE = 'signalbox_rail';

const YEAR_S = 31_536_000;

export const toTheme = (text: string | undefined): Theme => THEMES.find((theme) => theme === text) ?? 'system';

/** Remembers a choice of this device for a year. */
export function rememberChoice(cookie: string, value: string): void {
  document.cookie = `${cookie}=${value}; path=/; max-age=${YEAR_S}; samesite=lax`;
}
