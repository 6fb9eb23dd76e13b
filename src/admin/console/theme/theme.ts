/** How pages look: as the system is set, or always light or dark. */
export type Theme = 'system' | 'light' | 'dark';

/** Name of the cookie that keeps it. */
export const THEME_COOKIE = 'petstore_admin_theme';

/** What a cookie or a form says; `system` when it says nothing that is known. */
export function readTheme(text: string | null | undefined): Theme {
  return text === 'light' || text === 'dark' ? text : 'system';
}
