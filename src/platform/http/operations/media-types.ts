/** Media type of forms with files. */
export const FORM_MEDIA_TYPE = 'multipart/form-data';

/** Media types of bodies: that of JSON, and with PATCH first that of a JSON Merge Patch (RFC 7396). */
export function bodyMediaTypes(method: string): readonly string[] {
  return method === 'PATCH' ? ['application/merge-patch+json', 'application/json'] : ['application/json'];
}
