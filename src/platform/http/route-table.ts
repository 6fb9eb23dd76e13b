import { match, type MatchFunction } from 'path-to-regexp';
import type { Endpoint } from './exchange';

/** Path parameters by name; those of a wildcard are its segments. */
export type PathParameters = Record<string, string | string[]>;

/** One path template and what can be done with it. */
export interface Route {
  readonly path: string;
  readonly endpoints: ReadonlyMap<string, Endpoint>;
  /** Value of the Allow header. */
  readonly allow: string;
}

/** A route, and what stands in a path where its template has parameters. */
export interface RouteMatch {
  readonly route: Route;
  readonly params: PathParameters;
}

/** Finds the route of a path: exact, case-sensitive, without redirects. */
export class RouteTable {
  private readonly exact = new Map<string, RouteMatch>();
  private readonly patterns: { readonly match: MatchFunction<PathParameters>; readonly route: Route }[] = [];
  /** Every method some route serves, for `OPTIONS *`. */
  readonly allowAnywhere: string;

  constructor(readonly endpoints: readonly Endpoint[]) {
    for (const [path, group] of Map.groupBy(endpoints, ({ operation }) => operation.path)) {
      const route = { path, endpoints: byMethod(group), allow: allowed(group) };
      if (/[:*{]/.test(path)) this.patterns.push({ match: match(path, MATCHING), route });
      else this.exact.set(path, { route, params: NO_PARAMETERS });
    }
    this.allowAnywhere = allowed(endpoints);
  }

  /** The route of a raw (still percent-encoded) path. */
  find(path: string): RouteMatch | undefined {
    const exact = this.exact.get(path);
    if (exact) return exact;
    for (const { match: matches, route } of this.patterns) {
      const found = matches(path);
      if (found) return { route, params: found.params };
    }
    return undefined;
  }
}

const NO_PARAMETERS: PathParameters = Object.freeze({ __proto__: null } as never);

const MATCHING = {
  sensitive: true,
  trailing: false,
  // Most segments have nothing to decode, and finding that out by decoding them takes longer.
  decode: (text: string) => (text.includes('%') ? decodeURIComponent(text) : text),
};

/** HEAD is served wherever GET is (RFC 9110, section 9.3.2). */
function byMethod(endpoints: readonly Endpoint[]): Map<string, Endpoint> {
  const methods = new Map(endpoints.map((endpoint) => [endpoint.operation.method, endpoint]));
  const get = methods.get('GET');
  if (get && !methods.has('HEAD')) methods.set('HEAD', get);
  return methods;
}

function allowed(endpoints: readonly Endpoint[]): string {
  return ['OPTIONS', ...byMethod(endpoints).keys()].sort().join(', ');
}
