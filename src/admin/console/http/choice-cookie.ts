import { stringifySetCookie } from 'cookie';

const A_YEAR_S = 365 * 24 * 3_600;

/** Length of the longest choice that is stored, in characters: browsers keep at most 4,096 bytes of a cookie. */
const MAX_LENGTH = 2_000;

/**
 * Header fields that keep a choice of how pages look in this browser for a year; they remove an empty choice, and one that is
 * too long.
 *
 * @param path of the pages to which the browser sends the choice
 */
export function choiceCookie(name: string, choice: string, path = '/admin'): Record<string, string> {
  const value = choice.length > MAX_LENGTH ? '' : choice;
  const maxAge = value === '' ? 0 : A_YEAR_S;
  const cookie = stringifySetCookie({ name, value, path, httpOnly: true, sameSite: 'strict', maxAge });
  return { 'Set-Cookie': cookie };
}
