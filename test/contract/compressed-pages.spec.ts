import { startTestService, type TestService } from '../support/service/service';

/** What clients accept, and the coding that they get, each shorter than the one before. */
const CODINGS = [
  ['identity', null],
  ['gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
] as const;

describe('A file of the docs', () => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService('sqlite');
  });

  afterAll(() => service.stop());

  async function folder(): Promise<string> {
    const page = await (await fetch(`${service.url}/docs`)).text();
    return `${service.url}/${/docs\/files\/\w{16}\//.exec(page)?.[0] ?? ''}`;
  }

  /** Returns what clients get that accept each coding. */
  async function codedOf(name: string) {
    const address = `${await folder()}${name}`;
    return Promise.all(
      CODINGS.map(async ([accepted, coding]) => {
        const { headers, ...response } = await fetch(address, {
          headers: { 'accept-encoding': accepted },
        }).then(async (got) => ({ headers: got.headers, body: Buffer.from(await got.arrayBuffer()) }));
        const of = (field: string) => headers.get(field);
        return {
          ...response,
          coding,
          sent: of('content-encoding'),
          tag: of('etag'),
          length: of('content-length'),
        };
      }),
    );
  }

  it.each(['docs.css', 'docs.js', 'swagger-ui-bundle.js'])(
    'is sent in the shortest coding that the client accepts, with a tag of its own: %s',
    async (name) => {
      const coded = await codedOf(name);
      expect(coded.map(({ sent }) => sent)).toEqual(coded.map(({ coding }) => coding));
      const lengths = coded.map(({ length }) => Number(length));
      expect(lengths).toEqual(lengths.toSorted((one, other) => other - one));
      expect(new Set(lengths).size).toBe(CODINGS.length);
      expect(new Set(coded.map(({ tag }) => tag)).size).toBe(CODINGS.length);
      for (const { body } of coded) expect(body.equals(coded[0]?.body as Buffer)).toBe(true);
    },
  );

  it('that is compressed by itself is sent as it is', async () => {
    const coded = await codedOf('favicon-32x32.png');
    expect(coded.map(({ sent }) => sent)).toEqual([null, null, null]);
    expect(new Set(coded.map(({ tag }) => tag)).size).toBe(1);
  });
});
