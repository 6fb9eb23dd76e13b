/** The look of pages: that of the system, or always light or dark. */
export type Theme = 'system' | 'light' | 'dark';

/** Name of the cookie that stores the theme. */
export const THEME_COOKIE = 'petstore_admin_theme';

/** Reads the theme from a cookie or a form; `system` for anything unknown. */
export function readTheme(text: string | null | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}
