import type { Operation } from './operation';

/** One path template and what can be done with it. */
export interface Route {
  readonly path: string;
  readonly operations: ReadonlyMap<string, Operation>;
  /** Value of the Allow header. */
  readonly allow: string;
}

/** Finds the route of a path: exact, case-sensitive, without redirects. */
export class RouteTable {
  private readonly exact = new Map<string, Route>();
  private readonly patterns: { readonly expression: RegExp; readonly route: Route }[] = [];
  /** Every method some route serves, for `OPTIONS *`. */
  readonly allowAnywhere: string;

  constructor(operations: readonly Operation[]) {
    for (const [path, group] of Map.groupBy(operations, (operation) => operation.path)) {
      const route = { path, operations: byMethod(group), allow: allowed(group) };
      if (path.includes(':')) this.patterns.push({ expression: expressionOf(path), route });
      else this.exact.set(path, route);
    }
    this.allowAnywhere = allowed(operations);
  }

  /** The route of a raw (still percent-encoded) path. */
  find(path: string): Route | undefined {
    const exact = this.exact.get(path);
    if (exact) return exact;
    for (const { expression, route } of this.patterns) if (expression.test(path)) return route;
    return undefined;
  }
}

/** HEAD is served wherever GET is (RFC 9110, section 9.3.2). */
function byMethod(operations: readonly Operation[]): Map<string, Operation> {
  const methods = new Map(operations.map((operation) => [operation.method, operation]));
  const get = methods.get('GET');
  if (get) methods.set('HEAD', get);
  return methods;
}

function allowed(operations: readonly Operation[]): string {
  return ['OPTIONS', ...byMethod(operations).keys()].sort().join(', ');
}

function expressionOf(path: string): RegExp {
  const source = path
    .split('/')
    .map((segment) => (segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)))
    .join('/');
  return new RegExp(`^${source}$`);
}
