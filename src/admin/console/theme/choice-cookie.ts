import { stringifySetCookie } from 'cookie';

const A_YEAR_S = 365 * 24 * 3_600;

/**
 * A cookie that keeps for a year how pages are to look in this browser. Without a value it is taken away.
 *
 * @param path the pages it is sent to, and those below them
 */
export function choiceCookie(name: string, value: string, path = '/admin'): string {
  return stringifySetCookie({
    name,
    value,
    path,
    httpOnly: true,
    sameSite: 'strict',
    maxAge: value === '' ? 0 : A_YEAR_S,
  });
}
