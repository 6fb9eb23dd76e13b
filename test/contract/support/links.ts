import type { RawResponse } from '../../support/http/raw-http';
import { field } from './request';

/** Targets of the Link field of a response, by relation type (RFC 8288). */
export function linksOf(response: RawResponse): ReadonlyMap<string, string> {
  const links = (field(response, 'link') ?? '').matchAll(/<([^>]*)>((?:; [\w-]+="[^"]*")+)(?:, |$)/g);
  return new Map(
    Array.from(links, ([, target = '', parameters = '']) => [
      / rel="([^"]*)"/.exec(parameters)?.[1] ?? '',
      target,
    ]),
  );
}

/** The request target of an absolute address: its path and query. */
export function targetOf(address: string): string {
  const { pathname, search } = new URL(address);
  return pathname + search;
}
