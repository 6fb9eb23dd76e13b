import { Kind } from './setting';
import { boolean, host, integer, list, matching, oneOf } from './setting-kinds';
import { baseUrl, databaseUrl, webOrigin } from './url-kinds';

const kinds: Record<string, { kind: Kind<unknown>; taken: [string, unknown][]; refused: string[] }> = {
  matching: {
    kind: matching(/^[a-z]+$/, 'a word'),
    taken: [['abc', 'abc']],
    refused: ['', 'Abc', 'abc\n', ' abc'],
  },
  integer: {
    kind: integer(-5, 65_535),
    taken: [
      ['0', 0],
      ['-5', -5],
      ['65535', 65_535],
    ],
    refused: ['', '-6', '65536', '1e1', '+5', '5.0', '0x10', '05', '-0', ' 5', '5\n', 'NaN', 'Infinity'],
  },
  boolean: {
    kind: boolean(),
    taken: [
      ['true', true],
      ['false', false],
    ],
    refused: ['', 'TRUE', 'yes', '1', '0', 'true '],
  },
  oneOf: {
    kind: oneOf(['info', 'warn']),
    taken: [['info', 'info']],
    refused: ['', 'INFO', 'info,warn', 'constructor'],
  },
  list: {
    kind: list(integer(0, 9), 'digits separated by commas'),
    taken: [
      ['', []],
      ['1', [1]],
      ['1, 2,3', [1, 2, 3]],
    ],
    refused: [',', '1,', '1;2', '1,,2', '10'],
  },
  host: {
    kind: host(),
    taken: ['127.0.0.1', '0.0.0.0', '::', '::1', 'localhost', 'pets-1.example.com', '3com.example'].map(
      (text) => [text, text],
    ),
    refused: ['', '[::1]', '256.0.0.1', '127.0.0', 'a..b', '-a', 'a b', 'http://a', 'a:80', 'a.'],
  },
  baseUrl: {
    kind: baseUrl(),
    taken: [
      ['https://api.example.com/v1', 'https://api.example.com/v1'],
      ['http://localhost:3000/pets/v1', 'http://localhost:3000/pets/v1'],
      ['HTTPS://API.example.com:443/v1', 'https://api.example.com/v1'],
    ],
    refused: [
      '',
      'https://api.example.com',
      'https://api.example.com/v1/',
      'https://api.example.com/v2',
      'https://api.example.com/v1?',
      'https://api.example.com/?a=/v1',
      'https://api.example.com/v1#',
      'https://user@api.example.com/v1',
      'https://:word@api.example.com/v1',
      'ftp://api.example.com/v1',
      '/v1',
      'https:///v1',
    ],
  },
  webOrigin: {
    kind: webOrigin(),
    taken: ['https://shop.example.com', 'http://localhost:8080', 'http://[::1]:8080'].map((text) => [
      text,
      text,
    ]),
    refused: [
      '',
      '*',
      'null',
      'https://shop.example.com/',
      'https://Shop.example.com',
      'https://shop.example.com:443',
      'https://user@shop.example.com',
      'shop.example.com',
      'ftp://shop.example.com',
    ],
  },
  databaseUrl: {
    kind: databaseUrl(),
    taken: [
      'sqlite:./data/petstore.sqlite',
      'sqlite:/var/lib/petstore.sqlite',
      'sqlite::memory:',
      'postgres://localhost/petstore',
      'postgresql://user:p%40ss%2Fword@db.example.com:5432/petstore?sslmode=require',
      'postgres:///petstore?host=/var/run/postgresql',
    ].map((text) => [text, text]),
    refused: [
      '',
      'sqlite:',
      'sqlite://data/petstore.sqlite',
      'mysql://localhost/petstore',
      'localhost/petstore',
      'postgres:petstore',
      'postgres://user:p#word@localhost/petstore',
      'postgres://user:12/word@localhost/petstore',
      'postgres://user:12?word@localhost/petstore',
      'postgres://user:12#word@localhost/petstore',
      'postgres://localhost/petstore#word',
      'postgres://user:100%word@localhost/petstore',
      'postgres://localhost:port/petstore',
      'postgres://localhost/pet store',
    ],
  },
};

describe.each(Object.entries(kinds))('the kind %s', (_name, { kind, taken, refused }) => {
  it.each(taken)('takes %j', (text, value) => {
    expect(kind.parse(text)).toEqual({ value });
  });

  it.each(refused.map((text) => [text]))('refuses %j and says what is allowed', (text) => {
    expect(kind.parse(text)).toEqual({ fault: expect.stringMatching(/^(must be |is \*)/) });
  });
});

describe('a faulty list', () => {
  it('tells which entry is at fault, and why * is refused', () => {
    expect(list(webOrigin(), 'exact origins').parse('https://a.example, *')).toEqual({
      fault:
        'must be exact origins: entry 2 is *, which would open the service to every page; name each origin',
    });
  });
});

describe('a database address that is printed', () => {
  it.each([
    ['sqlite:./data/petstore.sqlite', 'sqlite:./data/petstore.sqlite'],
    ['postgres://user@localhost/petstore', 'postgres://user@localhost/petstore'],
    ['postgres://user:hunter2@localhost:5432/petstore', 'postgres://user:***@localhost:5432/petstore'],
    ['postgres://user:h@nter2@localhost/petstore', 'postgres://user:***@localhost/petstore'],
    ['postgres:///petstore?user=u&Password=hunter2', 'postgres:///petstore?user=u&Password=***'],
  ])('%s keeps all but its password', (text, shown) => {
    expect(databaseUrl().redact?.(text)).toBe(shown);
  });
});
