import { CURSOR_PATTERN, encodeCursor } from '../../src/platform/values/cursor';
import { INT64_MAX } from '../../src/platform/values/int64';
import type { RawResponse } from '../support/http/raw-http';
import { describeEachEngine } from '../support/databases/databases';
import { linksOf, targetOf } from './support/links';
import { ask, field } from './support/request';
import { itRefuses } from './support/rows';
import { useService } from './support/service';
import { runSql } from './support/sql';

/** Lets a pet go that rows of a module refer to. */
const UNCHECKED = { sqlite: 'PRAGMA foreign_keys = OFF', postgres: 'SET session_replication_role = replica' };

const STATUSES = ['available', 'pending', 'sold'];

function idsOf(response: RawResponse): number[] {
  expect(response.status).toBe(200);
  return (JSON.parse(response.body) as { id: number }[]).map(({ id }) => id);
}

function range(from: number, to: number, step = 1): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, index) => from + index * step);
}

describeEachEngine('Paging', (engine) => {
  const service = useService(engine);
  beforeAll(async () => {
    for (const id of range(1, 53)) await add(STATUSES[id % 3]);
  });

  async function add(status: string | undefined): Promise<void> {
    expect((await service().post('/v1/pets', { name: 'pet', categoryId: 1, status })).status).toBe(201);
  }

  function get(target: string): Promise<RawResponse> {
    return ask(service(), { target });
  }

  /** Follows `next` to the end; `between` runs before each further page. */
  async function walk(target: string, between?: (page: number) => Promise<unknown>): Promise<number[][]> {
    const pages: number[][] = [];
    for (let next: string | undefined = target; next !== undefined;) {
      const response = await get(next);
      pages.push(idsOf(response));
      const address = linksOf(response).get('next');
      next = address === undefined ? undefined : targetOf(address);
      if (next) await between?.(pages.length);
    }
    return pages;
  }

  it('shows 20 pets by default', async () => {
    expect(idsOf(await get('/v1/pets'))).toEqual(range(1, 20));
  });

  it.each([1, 7, 20, 52, 53, 54, 100])(
    'visits each pet once, in ascending order, %i at a time',
    async (limit) => {
      const pages = await walk(`/v1/pets?limit=${limit}`);
      expect(pages.flat()).toEqual(range(1, 53));
      expect(pages.map((page) => page.length)).toEqual([
        ...Array.from({ length: Math.ceil(53 / limit) - 1 }, () => limit),
        53 - limit * (Math.ceil(53 / limit) - 1),
      ]);
    },
  );

  it.each(STATUSES)('visits each pet of the status %s once', async (status) => {
    const first = STATUSES.indexOf(status) || 3;
    expect((await walk(`/v1/pets?status=${status}&limit=4`)).flat()).toEqual(range(first, 53, 3));
  });

  it('links to the next page while there is one, and to the first from every later page', async () => {
    const first = await get('/v1/pets?status=sold&limit=9');
    expect([...linksOf(first).keys()]).toEqual(['next']);
    const second = await get(targetOf(linksOf(first).get('next') as string));
    expect([...linksOf(second).keys()]).toEqual(['first']);
    expect(linksOf(second).get('first')).toBe('http://petstore.test/v1/pets?status=sold&limit=9');
    const whole = await get('/v1/pets?limit=100');
    expect(whole.headers.has('link')).toBe(false);
  });

  it('continues as the example in the guide shows', async () => {
    const guide = await (await fetch(`${service().url}/docs/guide.md`)).text();
    const [, target = '', link = ''] =
      /^GET http:\/\/127\.0\.0\.1:\d+(\S+)\n\nLink: (.*)$/m.exec(guide) ?? [];
    // The guide takes the first list, which is another module's in a project with more of them.
    const ofPets = (text: string) => text.replaceAll(/\/v1\/[\w-]+/g, '/v1/pets');
    const response = await get(ofPets(target));
    expect(idsOf(response)).toHaveLength(50);
    expect(field(response, 'link')).toBe(ofPets(link).replace(service().url, 'http://petstore.test'));
  });

  it('uses a cursor of the documented form, and keeps the other parameters of the request', async () => {
    const next = new URL(linksOf(await get('/v1/pets?status=sold&limit=2')).get('next') as string);
    expect(Object.fromEntries(next.searchParams)).toEqual({
      status: 'sold',
      limit: '2',
      cursor: expect.stringMatching(new RegExp(CURSOR_PATTERN)),
    });
    expect(linksOf(await get('/v1/pets')).get('next')).toMatch(
      /^http:\/\/petstore\.test\/v1\/pets\?cursor=[^&]+$/,
    );
  });

  it('accepts a cursor with another limit', async () => {
    const next = targetOf(linksOf(await get('/v1/pets?limit=5')).get('next') as string);
    expect(idsOf(await get(next.replace('limit=5', 'limit=3')))).toEqual([6, 7, 8]);
    expect(idsOf(await get(next.replace('limit=5', 'limit=100')))).toEqual(range(6, 53));
    expect(idsOf(await get(next.replace('limit=5&', '')))).toEqual(range(6, 25));
  });

  it('responds with [] without next when nothing is left or nothing matches', async () => {
    for (const target of [
      `/v1/pets?cursor=${encodeCursor(53n, {})}`,
      `/v1/pets?cursor=${encodeCursor(INT64_MAX, {})}`,
    ]) {
      const response = await get(target);
      expect([response.status, response.body, [...linksOf(response).keys()]]).toEqual([200, '[]', ['first']]);
    }
  });

  it('refuses a cursor with another filter: 400 invalid_cursor', async () => {
    const sold = encodeCursor(1n, { status: 'sold' });
    const any = encodeCursor(1n, {});
    for (const query of [`cursor=${sold}`, `cursor=${sold}&status=pending`, `cursor=${any}&status=sold`]) {
      const response = await get(`/v1/pets?${query}`);
      expect([response.status, JSON.parse(response.body)]).toMatchObject([400, { code: 'invalid_cursor' }]);
    }
    expect(idsOf(await get(`/v1/pets?cursor=${sold}&status=sold&limit=1`))).toHaveLength(1);
  });

  it('visits each remaining pet once while pets are added and removed', async () => {
    const gone = [5, 10, 20, 31, 44];
    const pages = await walk('/v1/pets?limit=5', async (page) => {
      await add('sold');
      // On page 1 this is the pet the cursor stands on; later ones lie behind and ahead of it.
      const { database } = service();
      await runSql(database, `${UNCHECKED[engine]}; DELETE FROM pets WHERE id = ${gone[page - 1] ?? 0}`);
    });
    const visited = pages.flat();
    // Seen before they went: those on a page that had been answered.
    const seen = [5, 10];
    expect(visited.slice(0, 53 - gone.length + seen.length)).toEqual(
      range(1, 53).filter((id) => !gone.includes(id) || seen.includes(id)),
    );
    const last = visited.at(-1) as number;
    expect(visited).toEqual([...new Set(visited)].sort((a, b) => a - b));
    expect(visited.slice(visited.indexOf(53))).toEqual(range(53, last));
    expect(last).toBeGreaterThan(53);
  });
});

describe('A list with a cursor', () => {
  const service = useService('sqlite');
  const good = encodeCursor(1n, {});
  itRefuses(
    service,
    [
      '',
      'a',
      '%00',
      '%20',
      good.slice(1),
      `${good}A`,
      `${good}=`,
      good.toLowerCase(),
      'A'.repeat(512),
      'A'.repeat(513),
      'A'.repeat(7_000),
      '%F0%9F%90%B6',
      "1'--",
      '-1',
      '2',
    ].map((cursor) => ({
      of: cursor.slice(0, 40),
      request: { target: `/v1/pets?cursor=${cursor}` },
      status: 400,
      code: 'invalid_cursor',
      names: ['cursor'],
      ...(cursor.length > 8 && { offending: [cursor] }),
    })),
  );
});

describe('The address in a Link', () => {
  const service = useService('sqlite');
  const configured = useService('sqlite', { PUBLIC_BASE_URL: 'https://api.example.com/pets/v1' });
  const behind = useService('sqlite', { TRUST_PROXY: 'loopback' });
  beforeAll(async () => {
    for (const one of [service(), configured(), behind()]) {
      for (let i = 0; i < 2; i++) await one.post('/v1/pets', { name: 'pet', categoryId: 1 });
    }
  });

  it.each([
    ['the Host field', '/v1/pets?limit=1', 'shop.example:8080', 'http://shop.example:8080/v1/pets?'],
    ['an IPv6 Host', '/v1/pets?limit=1', '[::1]:3000', 'http://[::1]:3000/v1/pets?'],
    [
      'the authority of an absolute target',
      'http://other.example:81/v1/pets?limit=1',
      'shop.example',
      'http://other.example:81/v1/pets?',
    ],
  ])('is built from %s', async (_of, target, Host, begins) => {
    const next = linksOf(await ask(service(), { target, headers: { Host } })).get('next');
    expect(next?.startsWith(begins)).toBe(true);
  });

  it.each<[string, Record<string, string>, string]>([
    ['the protocol', { 'X-Forwarded-Proto': 'https' }, 'https://shop.example/'],
    ['the protocol to the first proxy', { 'X-Forwarded-Proto': 'https, http' }, 'https://shop.example/'],
    ['no protocol', {}, 'http://shop.example/'],
    ['an unknown protocol', { 'X-Forwarded-Proto': 'javascript' }, 'http://shop.example/'],
    ['the host', { 'X-Forwarded-Host': 'petstore.example:8443' }, 'http://petstore.example:8443/'],
    ['a host that is none', { 'X-Forwarded-Host': 'a>; rel="next"' }, 'http://shop.example/'],
  ])('is built from what a trusted proxy forwards: %s', async (_what, forwarded, begins) => {
    // A response that is asked for again and again is kept, for its own address only.
    for (const headers of [{}, forwarded, {}, forwarded, {}, forwarded]) {
      const request = { target: '/v1/pets?limit=1', headers: { Host: 'shop.example', ...headers } };
      const next = linksOf(await ask(behind(), request)).get('next');
      const expected = headers === forwarded ? begins : 'http://shop.example/';
      expect(next?.slice(0, expected.length + 3)).toBe(`${expected}v1/`);
    }
  });

  it('is not built from what anybody else forwards', async () => {
    const headers = {
      Host: 'shop.example',
      'X-Forwarded-Proto': 'https',
      'X-Forwarded-Host': 'evil.example',
    };
    const next = linksOf(await ask(service(), { target: '/v1/pets?limit=1', headers })).get('next');
    expect(next?.startsWith('http://shop.example/v1/pets?')).toBe(true);
  });

  it('is PUBLIC_BASE_URL if set', async () => {
    const response = await ask(configured(), { target: 'http://evil.example/v1/pets?limit=1' });
    const next = linksOf(response).get('next') as string;
    expect(next).toMatch(/^https:\/\/api\.example\.com\/pets\/v1\/pets\?limit=1&cursor=/);
    expect(response.raw.toString()).not.toContain('evil');
    const cursor = new URL(next).search;
    const last = await ask(configured(), { target: `/v1/pets${cursor}` });
    expect(linksOf(last).get('first')).toBe('https://api.example.com/pets/v1/pets?limit=1');
  });
});
