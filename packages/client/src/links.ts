/** The target of the first link with a relation type in a `Link` header (RFC 8288). */
export function linkTo(relation: string, { headers }: Response): string | undefined {
  const links = headers.get('link')?.matchAll(/<([^>]*)>((?:"[^"]*"|[^",])*)/g) ?? [];
  for (const [, target, parameters = ''] of links) {
    const [, quoted, bare] = /;\s*rel=(?:"([^"]*)"|([^;\s]*))/i.exec(parameters) ?? [];
    if ((quoted ?? bare)?.split(' ').includes(relation)) return target;
  }
  return undefined;
}
