import { InvalidParameterError, UnknownParameterError } from '../errors/http-errors';

/** A name that may be repeated in a message: it is short and cannot be mistaken for prose. */
const PRINTABLE_NAME = /^[\w.\-[\]]{0,63}[\w\-[\]]$/;

const NO_PARAMETERS: Record<string, string> = Object.freeze({ __proto__: null } as never);

const NO_NAMES: ReadonlySet<string> = new Set();

/**
 * Reads a query of the form `a=b&c=d` (application/x-www-form-urlencoded, WHATWG URL).
 *
 * @param query without the question mark
 * @param known names of the parameters the operation has
 * @param lists names of parameters that may be repeated; each of these that is given has an array of its values
 * @returns a record without a prototype
 * @throws UnknownParameterError or InvalidParameterError, naming the parameter
 */
export function readQuery(
  query: string,
  known: ReadonlySet<string>,
  lists: ReadonlySet<string> = NO_NAMES,
): Record<string, string | string[]> {
  if (query === '') return NO_PARAMETERS;
  const parameters: Record<string, string | string[]> = { __proto__: null } as never;
  for (const [name, value] of new URLSearchParams(query)) {
    if (!known.has(name)) {
      const shown = PRINTABLE_NAME.test(name) ? name : 'A parameter of the query';
      throw new UnknownParameterError({ message: `${shown} is not a query parameter of this operation.` });
    }
    const former = parameters[name];
    if (former === undefined) {
      parameters[name] = value;
      continue;
    }
    if (!lists.has(name)) throw new InvalidParameterError({ message: `${name} may be given only once.` });
    if (Array.isArray(former)) former.push(value);
    else parameters[name] = [former, value];
  }
  return parameters;
}
