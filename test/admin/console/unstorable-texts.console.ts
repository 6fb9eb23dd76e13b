import { startTestService, type TestService } from '../../support/service/service';
import { type ConsoleClient, type ConsoleResponse, openConsole } from '../../support/service/console';

/** Most pages to look at: each list has as many as there are ways to sort and filter it. */
const MOST_PAGES = 120;

/** A form of a page, with the names of what people write or choose in it. */
interface Form {
  readonly action: string;
  readonly isPost: boolean;
  readonly hidden: readonly (readonly [string, string])[];
  readonly names: readonly string[];
}

describe('A text with U+0000, which PostgreSQL cannot store,', () => {
  let service: TestService;
  let client: ConsoleClient;
  let pages: ReadonlyMap<string, ConsoleResponse>;

  beforeAll(async () => {
    service = await startTestService('postgres');
    await service.post('/v1/pets', { name: 'Rex', categoryId: 3 });
    client = await openConsole(service, service.key);
    pages = await walk(client);
  });
  afterAll(() => service.stop());

  it('is no fault of the service in the path or the query of any page', async () => {
    const paths = new Set<string>();
    for (const [path, page] of pages) {
      const { pathname, searchParams } = new URL(path, 'http://console');
      paths.add(`${pathname.slice(0, pathname.lastIndexOf('/'))}/%00`);
      for (const name of searchParams.keys()) paths.add(`${pathname}?${encodeURIComponent(name)}=%00`);
      for (const { action, names, isPost } of formsOf(page)) {
        if (!isPost) for (const name of names) paths.add(`${action}?${encodeURIComponent(name)}=%00`);
      }
    }
    expect(paths.size).toBeGreaterThan(50);
    const faulty: string[] = [];
    for (const path of paths) if ((await client.get(path)).status >= 500) faulty.push(path);
    expect(faulty).toEqual([]);
  });

  it('is no fault of the service in any field of a form', async () => {
    const faulty: string[] = [];
    const sent = new Set<string>();
    for (const page of pages.values()) {
      for (const { action, hidden, names, isPost } of formsOf(page)) {
        if (!isPost || action.endsWith('/sign-out')) continue;
        for (const name of names) {
          const field = `${new URL(action, 'http://console').pathname} ${name}`;
          if (sent.has(field)) continue;
          sent.add(field);
          const others = names.map((other) => [other, 'x'] as const);
          const form = Object.fromEntries([...others, ...hidden, [name, 'a\0b']]);
          if ((await client.post(action, form)).status >= 500) faulty.push(field);
        }
      }
    }
    expect(sent.size).toBeGreaterThan(5);
    expect(faulty).toEqual([]);
  });
});

/** Looks at the pages that lead to each other. */
async function walk(client: ConsoleClient): Promise<ReadonlyMap<string, ConsoleResponse>> {
  const pages = new Map<string, ConsoleResponse>();
  const left = [
    '/admin/keys',
    '/admin/records/pets',
    '/admin/records/pets/new',
    '/admin/keys/new',
    '/admin/audit',
  ];
  for (let path = left.shift(); path !== undefined && pages.size < MOST_PAGES; path = left.shift()) {
    if (pages.has(path)) continue;
    const page = await client.get(path);
    pages.set(path, page);
    for (const [, link = ''] of page.html.matchAll(/href="(\/admin[^"#]*)"/g)) {
      if (!/\.(css|js|svg|csv|ndjson)\b|sign-out|export/.test(link)) left.push(link.replaceAll('&amp;', '&'));
    }
  }
  return pages;
}

function formsOf({ html }: ConsoleResponse): Form[] {
  return [...html.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].flatMap(([, head = '', body = '']) => {
    const action = /action="(\/admin[^"]*)"/.exec(head)?.[1]?.replaceAll('&amp;', '&');
    if (action === undefined) return [];
    const isPost = /method="post"/i.test(head);
    const hidden = [...body.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g)].map(
      ([, name = '', value = '']) => [name, value] as const,
    );
    const names = [...body.matchAll(/<(?:input|textarea|select)\b[^>]*?\bname="([^"]*)"/g)]
      .map(([, name = '']) => name)
      .filter((name) => !hidden.some(([other]) => other === name));
    return [{ action, isPost, hidden, names: [...new Set(names)] }];
  });
}
