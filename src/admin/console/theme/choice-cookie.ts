import { stringifySetCookie } from 'cookie';

const A_YEAR_S = 365 * 24 * 3_600;

/** A cookie that keeps for a year how pages are to look in this browser. */
export function choiceCookie(name: string, value: string): string {
  return stringifySetCookie({
    name,
    value,
    path: '/admin',
    httpOnly: true,
    sameSite: 'strict',
    maxAge: A_YEAR_S,
  });
}
