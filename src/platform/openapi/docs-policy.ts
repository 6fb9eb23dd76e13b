/**
 * Returns the Content-Security-Policy of every file of the docs: nothing from elsewhere, no script or style in a page.
 *
 * @param services addresses that the page may call besides this service
 */
export function docsPolicy(services: readonly string[]): string {
  const origins = [...new Set(services.map((address) => new URL(address).origin))];
  return [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data:",
    ["connect-src 'self'", ...origins].join(' '),
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}
