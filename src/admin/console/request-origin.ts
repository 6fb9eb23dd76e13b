import type { Request } from 'express';
import { NotAllowedError } from './console.errors';

/**
 * Refuses a change that a page of another origin asks for, as the browser says (Fetch Metadata, and Origin where that is
 * missing). Every browser says one of them with a POST; a request with neither could be that of any page.
 *
 * @throws NotAllowedError
 */
export function assertSameOrigin(request: Request): void {
  const site = request.get('sec-fetch-site');
  const origin = request.get('origin');
  if (site === undefined && origin === undefined) {
    throw new NotAllowedError('The browser does not say which page sent the form, so nothing was changed.');
  }
  const isForeign = site !== undefined && site !== 'same-origin' && site !== 'none';
  // Which scheme the browser used is not known behind a proxy; the host says enough.
  const isElsewhere = origin !== undefined && URL.parse(origin)?.host !== request.headers.host?.toLowerCase();
  if (isForeign || isElsewhere) {
    throw new NotAllowedError('The form was sent by a page of another site, so nothing was changed.');
  }
}
