import { Kind, mustBe } from './setting';

const REDACTED = '***';

function parseUrl(text: string): URL | undefined {
  return URL.parse(text) ?? undefined;
}

/** An http(s) address of the interface's first version: it ends in `/v1` and carries nothing after the path. */
export function baseUrl(): Kind<string> {
  const kind: Kind<string> = {
    allowed: 'an http or https address that ends in /v1, without user, query and fragment',
    parse(text) {
      const url = /^https?:\/\/[^?#]+$/i.test(text) ? parseUrl(text) : undefined;
      const plain = url?.username === '' && url.password === '' && url.pathname.endsWith('/v1');
      return url && plain ? { value: url.href } : mustBe(kind);
    },
  };
  return kind;
}

/** A web origin exactly as browsers send it in `Origin` (RFC 6454, section 6.2). */
export function webOrigin(): Kind<string> {
  const kind: Kind<string> = {
    allowed:
      'an origin such as https://shop.example.com, in lower case, without default port, path and final slash',
    parse(text) {
      if (text === '*') {
        return { fault: 'is *, which would open the service to every page; name each origin' };
      }
      return /^https?:/.test(text) && parseUrl(text)?.origin === text ? { value: text } : mustBe(kind);
    },
  };
  return kind;
}

/** `sqlite:<path>` or a PostgreSQL connection URI (PostgreSQL manual, 34.1.1.2) with at most one host. */
export function databaseUrl(): Kind<string> {
  const kind: Kind<string> = {
    allowed: 'sqlite:<path> or postgres://<user>:<password>@<host>:<port>/<database>',
    parse(text) {
      if (text.startsWith('sqlite:')) {
        return isFilePath(text.slice('sqlite:'.length)) ? { value: text } : mustBe(kind);
      }
      return isPostgresUrl(text)
        ? { value: text }
        : mustBe(kind, 'reserved characters in user and password are written percent-encoded');
    },
    redact: (text) => (text.startsWith('sqlite:') ? text : withoutPassword(text)),
  };
  return kind;
}

function isFilePath(path: string): boolean {
  // `sqlite://data/file` looks relative and would be a file in the root directory.
  return path !== '' && !path.startsWith('//') && !path.includes('\0');
}

function isPostgresUrl(text: string): boolean {
  const url = /^postgres(ql)?:\/\//.test(text) ? parseUrl(text) : undefined;
  if (!url || /\s/.test(text)) {
    return false;
  }
  // A raw /, ? or # ends the authority early. The rest of the password would then pass as path or query, and be printed.
  if (`${url.pathname}${url.search}${url.hash}`.includes('@') || url.hash !== '') {
    return false;
  }
  return isDecodable(url);
}

/** Tells whether a driver can decode the parts of an address: a literal percent sign has to be written as %25. */
function isDecodable(url: URL): boolean {
  try {
    decodeURIComponent(`${url.username}${url.password}${url.hostname}${url.pathname}`);
    return true;
  } catch {
    return false;
  }
}

function withoutPassword(text: string): string {
  const url = new URL(text);
  if (url.password !== '') {
    url.password = REDACTED;
  }
  for (const name of new Set(url.searchParams.keys())) {
    if (name.toLowerCase().includes('password')) {
      url.searchParams.set(name, REDACTED);
    }
  }
  return url.href;
}

/** Streaming replicas: PostgreSQL connection URIs separated by commas. */
export function replicaUrls(): Kind<readonly string[]> {
  const kind: Kind<readonly string[]> = {
    allowed: 'postgres://<user>:<password>@<host>:<port>/<database>, several separated by commas',
    parse(text) {
      const urls = splitUrls(text);
      const wrong = urls.findIndex((url) => !isPostgresUrl(url));
      return wrong < 0
        ? { value: Object.freeze(urls) }
        : mustBe(
            kind,
            `entry ${wrong + 1} is not valid; commas and other reserved characters are percent-encoded`,
          );
    },
    redact: (text) => splitUrls(text).map(withoutPassword).join(','),
  };
  return kind;
}

function splitUrls(text: string): string[] {
  return text === '' ? [] : text.split(',').map((url) => url.trim());
}

/** A Redis connection URI, as registered for `redis` and `rediss` (TLS). */
export function redisUrl(): Kind<string> {
  const kind: Kind<string> = {
    allowed: 'redis://<user>:<password>@<host>:<port>/<database> or the same with rediss:',
    parse(text) {
      const url = /^rediss?:\/\/[^\s]+$/.test(text) ? parseUrl(text) : undefined;
      // A raw /, ? or # in a password ends the authority early; see isPostgresUrl.
      const rest = url && `${url.pathname}${url.search}${url.hash}`;
      const isPlain = url !== undefined && url.hostname !== '' && /^(\/[0-9]{0,5})?$/.test(rest as string);
      return isPlain && isDecodable(url)
        ? { value: text }
        : mustBe(kind, 'reserved characters in user and password are written percent-encoded');
    },
    redact: withoutPassword,
  };
  return kind;
}

/** An http(s) address of another service, without user, query and fragment. */
export function endpointUrl(): Kind<string> {
  const kind: Kind<string> = {
    allowed: 'an http or https address without user, query and fragment',
    parse(text) {
      const url = /^https?:\/\/[^/?#\s][^?#\s]*$/i.test(text) ? parseUrl(text) : undefined;
      return url?.username === '' && url.password === '' ? { value: text.replace(/\/+$/, '') } : mustBe(kind);
    },
  };
  return kind;
}
