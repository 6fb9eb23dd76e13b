import { stringifySetCookie } from 'cookie';
import type { AdminRecords } from '../../../platform/features/admin-records';
import type { ConsoleRequest } from '../http/console-request';
import type { Crumb } from '../../../platform/features/console-page';
import { titleOf } from '../../records/record-names';
import { listPath } from './record-paths';

/**
 * Name of the cookie with the query of the list that was last viewed. Browsers send it only to the pages of this record type.
 */
const COOKIE = 'petstore_admin_list';

/** Length of the longest query that is stored: browsers keep at most 4,096 bytes of a cookie. */
const MAX_LENGTH = 1_500;

/**
 * Header fields that store the query of a list in the browser, for the way back from a record; empty if it is stored already.
 */
export function lastListHeaders(recordType: AdminRecords, request: ConsoleRequest): Record<string, string> {
  const text = request.query.toString();
  const query = text.length > MAX_LENGTH ? '' : text;
  if ((request.cookies[COOKIE] ?? '') === query) return {};
  const cookie = stringifySetCookie({
    name: COOKIE,
    value: query,
    path: listPath(recordType),
    httpOnly: true,
    sameSite: 'strict',
    ...(query === '' && { maxAge: 0 }),
  });
  return { 'Set-Cookie': cookie };
}

/** The list above a record as it was last viewed in this browser: filtered, sorted and on the same page. */
export function lastList(recordType: AdminRecords, { cookies }: ConsoleRequest): Crumb {
  const query = new URLSearchParams(cookies[COOKIE] ?? '').toString();
  return {
    title: titleOf(recordType),
    path: query === '' ? listPath(recordType) : `${listPath(recordType)}?${query}`,
  };
}
