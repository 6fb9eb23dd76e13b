import { stringifySetCookie } from 'cookie';

const A_YEAR_S = 365 * 24 * 3_600;

/**
 * Builds a cookie that keeps a choice of how pages look in this browser for a year. An empty value removes it.
 *
 * @param path the path to which the cookie is sent, with the paths below it
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
