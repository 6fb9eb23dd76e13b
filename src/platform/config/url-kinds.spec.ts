import type { Kind } from './setting';
import { databaseUrl, endpointUrl, redisUrl, replicaUrls } from './url-kinds';

const PRIMARY = 'postgres://user:p%40ss@db-1.example.com:5432/petstore';
const OTHER = 'postgresql://db-2.example.com/petstore?sslmode=require';

const kinds: Record<string, { kind: Kind<unknown>; taken: [string, unknown][]; refused: string[] }> = {
  redisUrl: {
    kind: redisUrl(),
    taken: [
      'redis://localhost',
      'redis://localhost:6379',
      'redis://localhost:6379/',
      'redis://localhost:6379/0',
      'redis://localhost/15',
      'rediss://user:p%40ss%2Fword%23%3F@redis.example.com:6380/3',
      'redis://:hunter2@[::1]:6379/0',
      'redis://user@localhost',
    ].map((text) => [text, text]),
    refused: [
      '',
      'redis://',
      'redis:///0',
      'redis://:hunter2@/0',
      'redis:localhost',
      'localhost:6379',
      'http://localhost:6379',
      'REDIS://localhost',
      'unix:///var/run/redis.sock',
      'redis://localhost:port/0',
      'redis://localhost:65536/0',
      'redis://localhost/zero',
      'redis://localhost/-1',
      'redis://localhost/0/0',
      'redis://localhost/123456',
      'redis://localhost/0?family=6',
      'redis://localhost/0#hunter2',
      'redis://:12/hunter2@localhost/0',
      'redis://:12?hunter2@localhost/0',
      'redis://:12#hunter2@localhost/0',
      'redis://:100%hunter2@localhost/0',
      'redis://:%C3%28hunter2@localhost/0',
      'redis://:hunter 2@localhost/0',
      'redis://localhost /0',
      'redis://localhost/0\n',
    ],
  },
  replicaUrls: {
    kind: replicaUrls(),
    taken: [
      ['', []],
      [PRIMARY, [PRIMARY]],
      [`${PRIMARY}, ${OTHER}`, [PRIMARY, OTHER]],
      [`${PRIMARY},${PRIMARY}`, [PRIMARY, PRIMARY]],
      ['postgres://user:a%2Cb@localhost/petstore', ['postgres://user:a%2Cb@localhost/petstore']],
    ],
    refused: [
      ',',
      `${PRIMARY},`,
      `${OTHER};${PRIMARY}`,
      `${PRIMARY} ${OTHER}`,
      'sqlite:./data/petstore.sqlite',
      'mysql://localhost/petstore',
      'postgres://user:a,hunter2@localhost/petstore',
      'postgres://user:12/hunter2@localhost/petstore',
      'postgres://user:12?hunter2@localhost/petstore',
      'postgres://user:12#hunter2@localhost/petstore',
      'postgres://user:100%hunter2@localhost/petstore',
      'postgres://localhost:port/petstore',
    ],
  },
  endpointUrl: {
    kind: endpointUrl(),
    taken: [
      ['http://localhost:4318', 'http://localhost:4318'],
      ['http://localhost:4318/', 'http://localhost:4318'],
      ['https://otel.example.com/collector//', 'https://otel.example.com/collector'],
      ['HTTPS://otel.example.com', 'HTTPS://otel.example.com'],
    ],
    refused: [
      '',
      'localhost:4318',
      'grpc://localhost:4317',
      'http://',
      'http:///v1',
      'http://user:hunter2@localhost:4318',
      'http://hunter2@localhost:4318',
      'http://:hunter2@localhost:4318',
      'http://localhost:4318?token=hunter2',
      'http://localhost:4318#hunter2',
      'http://localhost:port',
      'http://localhost:4318/a b',
      'http://localhost:4318\n',
    ],
  },
};

describe.each(Object.entries(kinds))('the kind %s', (_name, { kind, taken, refused }) => {
  it.each(taken)('takes %j', (text, value) => {
    expect(kind.parse(text)).toEqual({ value });
  });

  it.each(refused.map((text) => [text]))('refuses %j, says what is allowed and repeats nothing', (text) => {
    const fault = { fault: expect.stringMatching(/^must be /) };
    expect(kind.parse(text)).toEqual(fault);
    expect(kind.parse(text)).toEqual({ fault: expect.not.stringContaining('hunter2') });
  });
});

describe('an address that is printed', () => {
  it.each([
    ['redis://localhost:6379/0', 'redis://localhost:6379/0'],
    ['redis://:hunter2@localhost:6379/0', 'redis://:***@localhost:6379/0'],
    ['rediss://user:hunter%402@redis.example.com', 'rediss://user:***@redis.example.com'],
  ])('%s keeps all but its password', (text, shown) => {
    expect(redisUrl().redact?.(text)).toBe(shown);
  });

  it('of several replicas keeps all but the password of each', () => {
    const text = 'postgres://user:hunter2@a/petstore, postgres://b/petstore?password=hunter2,postgres://c/p';
    expect(replicaUrls().redact?.(text)).toBe(
      'postgres://user:***@a/petstore,postgres://b/petstore?password=***,postgres://c/p',
    );
    expect(replicaUrls().redact?.('')).toBe('');
  });

  it('shows no password of a key file either, however its parameter is written', () => {
    const text = 'postgres://user@a/petstore?sslpassword=hunter2&SSLPassword=hunter2&sslmode=require';
    expect(databaseUrl().redact?.(text)).toBe(
      'postgres://user@a/petstore?sslpassword=***&SSLPassword=***&sslmode=require',
    );
  });
});

describe('the kind replicaUrls', () => {
  it('tells which entry is at fault', () => {
    expect(replicaUrls().parse(`${PRIMARY}, hunter2`)).toEqual({
      fault: expect.stringMatching(/: entry 2 is not valid; /),
    });
  });
});
