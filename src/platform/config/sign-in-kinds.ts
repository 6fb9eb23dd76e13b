import { isIPv4 } from 'node:net';
import { Kind, mustBe } from './setting';

/** Scopes in the console of the members of a group at the OIDC provider. */
export interface Role {
  readonly group: string;
  readonly scopes: readonly string[];
}

const SCOPE = /^[a-z][a-z0-9-]*:[a-z][a-z0-9-]*$/;

/** The issuer of an OIDC provider, exactly as its tokens name it. */
export function issuerUrl(): Kind<string> {
  const kind: Kind<string> = {
    allowed:
      'the https address of an OIDC provider as its tokens name it, without user, query and fragment; http is for loopback only',
    parse(text) {
      const url = /^https?:\/\/[^?#\s]+$/.test(text) ? URL.parse(text) : null;
      return url?.username === '' && url.password === '' && isPrivate(url) ? { value: text } : mustBe(kind);
    },
  };
  return kind;
}

/** The web origin of the console, as browsers send it in `Origin`. */
export function consoleOrigin(): Kind<string> {
  const kind: Kind<string> = {
    allowed:
      'an https origin such as https://petstore-admin.example.com, in lower case, without default port, path and final slash; http is for loopback only',
    parse(text) {
      const url = /^https?:/.test(text) ? URL.parse(text) : null;
      return url?.origin === text && isPrivate(url) ? { value: text } : mustBe(kind);
    },
  };
  return kind;
}

/** Tells whether requests to an address cannot be overheard: by HTTPS, or within this machine. */
function isPrivate({ protocol, hostname }: URL): boolean {
  const isLoopback =
    hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'));
  return protocol === 'https:' || isLoopback;
}

/** Groups and their scopes. The name of a group ends at the last `=`, because names in directories may contain that sign. */
export function roles(): Kind<readonly Role[]> {
  const kind: Kind<readonly Role[]> = {
    allowed: '<group>=<scope>,<scope>, several separated by semicolons',
    parse(text) {
      const entries = text.split(';').map((entry) => readRole(entry.trim()));
      const wrong = entries.indexOf(undefined);
      if (wrong >= 0) return mustBe(kind, `entry ${wrong + 1} is not valid`);
      const read = entries.filter((entry) => entry !== undefined);
      const isRepeated = new Set(read.map(({ group }) => group)).size < read.length;
      return isRepeated ? { fault: 'must name each group once' } : { value: Object.freeze(read) };
    },
  };
  return kind;
}

function readRole(entry: string): Role | undefined {
  const end = entry.lastIndexOf('=');
  const group = entry.slice(0, Math.max(end, 0)).trim();
  const scopes = entry
    .slice(end + 1)
    .split(',')
    .map((scope) => scope.trim());
  return group !== '' && scopes.every((scope) => SCOPE.test(scope)) ? { group, scopes } : undefined;
}
