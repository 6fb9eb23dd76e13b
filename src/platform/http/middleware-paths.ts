/** Middleware of the application, by the paths that it runs for. */
export class MiddlewarePaths {
  private readonly noted: { readonly segments: readonly string[]; readonly name: string }[] = [];

  /**
   * Notes the parameters of Express's `use()`: a path, which may be left out, and functions.
   *
   * @param name name of the middleware where no function tells it
   */
  note([path, ...functions]: readonly unknown[], name = nameOf([path, ...functions])): void {
    const paths: unknown[] = Array.isArray(path) ? path.flat(Infinity) : [path];
    for (const one of paths) {
      // A regular expression cannot be compared with a path.
      this.noted.push({ segments: typeof one === 'string' ? fixedSegments(one) : [], name });
    }
  }

  /** Names the middleware that may run for requests of a route: where patterns cannot be compared, it may. */
  for(path: string): string[] {
    const segments = fixedSegments(path);
    return this.noted
      .filter((one) => one.segments.every((segment, at) => segment === (segments[at] ?? segment)))
      .map(({ name }) => name);
  }
}

function nameOf(parameters: readonly unknown[]): string {
  const named = parameters.flat(Infinity).find((one) => typeof one === 'function' && one.name !== '');
  return named ? `middleware ${(named as () => void).name}` : 'middleware';
}

/** Returns the segments ahead of the first that is a pattern, in small letters as Express compares them. */
function fixedSegments(path: string): string[] {
  const segments = path.toLowerCase().split('/').filter(Boolean);
  const open = segments.findIndex((segment) => !/^[\w.~-]+\$?$/.test(segment));
  return (open < 0 ? segments : segments.slice(0, open)).map((segment) => segment.replace(/\$$/, ''));
}
