import { stringifySetCookie } from 'cookie';

/** The look of pages: that of the system, or always light or dark. */
export type Theme = 'system' | 'light' | 'dark';

/** Name of the cookie that stores the theme. */
export const THEME_COOKIE = 'petstore_admin_theme';

/** Reads the theme from a cookie or a form; `system` for anything unknown. */
export function readTheme(text: string | null | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}

const A_YEAR_S = 365 * 24 * 3_600;

/** Builds the Set-Cookie field that keeps the theme in this browser for a year: it is for the sign-in, too. */
export function themeCookie(theme: Theme): string {
  return stringifySetCookie({
    name: THEME_COOKIE,
    value: theme,
    path: '/admin',
    httpOnly: true,
    sameSite: 'strict',
    maxAge: A_YEAR_S,
  });
}
