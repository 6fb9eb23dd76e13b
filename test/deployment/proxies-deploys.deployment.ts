import { Agent } from 'node:http';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import type { ListeningProgram } from '../support/processes/listening-program';
import { endServiceProcesses } from '../support/processes/service-process';
import { launchHaproxy, launchNginx, type Place } from './support/proxies';
import { replacing, Site } from './support/site';

/** Fewer than a process takes of HAProxy at a time: then HAProxy refuses none. */
const CLIENTS = 6;

/** What the service says to a request that came too late: its client sends it again. */
const REFUSED = '503, Retry-After: 1';

/** A proxy as the page has it, and what the page says of a deploy behind it. */
interface Variant {
  readonly name: string;
  readonly launch: (place: Place) => Promise<ListeningProgram>;
  readonly change?: Place['change'];
  readonly drainDelay: string;
  readonly hasKeys?: boolean;
  /** What a creation may get. */
  readonly creations: readonly string[];
}

const VARIANTS: readonly Variant[] = [
  // Time for a balancer that is as slow as its machine.
  { name: 'HAProxy', launch: launchHaproxy, drainDelay: '10s', creations: ['201'] },
  { name: 'nginx', launch: launchNginx, drainDelay: '0s', creations: ['201', REFUSED] },
  {
    name: 'nginx that repeats a POST',
    launch: launchNginx,
    change: replacing(['error timeout http_503', 'error timeout http_503 non_idempotent']),
    drainDelay: '0s',
    hasKeys: true,
    creations: ['201'],
  },
];

describe.each(VARIANTS)('Behind $name, on slow links and under load', (variant) => {
  const { launch, change, drainDelay, hasKeys, creations } = variant;
  let database: TestDatabase;
  let site: Site;

  beforeAll(async () => {
    database = await createTestDatabase('postgres');
    site = await Site.open(launch, change, {
      DATABASE_URL: database.url,
      MIGRATE_ON_START: 'true',
      DRAIN_DELAY: drainDelay,
    });
  });
  afterAll(async () => {
    // Those of a site that did not open, too.
    await endServiceProcesses();
    await site.close();
    await database.drop();
  });

  it('processes are stopped and started one after the other, and no request is lost', async () => {
    const created: string[] = [];
    const seen = { creations: new Set<string>(), lists: new Set<string>() };
    const over = new AbortController();

    async function use(client: number) {
      const agent = new Agent({ keepAlive: true, maxSockets: 1 });
      for (let index = 0; !over.signal.aborted; index++) {
        const name = `${client}-${index}`;
        const adding = { agent, ...(hasKeys && { headers: { 'idempotency-key': name } }) };
        let status: string;
        do {
          status = await outcome(site.post(name, adding));
          seen.creations.add(status);
        } while (status === REFUSED && creations.includes(status));
        if (status === '201') created.push(name);
        seen.lists.add(await outcome(site.get('limit=10', agent)));
      }
      agent.destroy();
    }

    async function deploy() {
      try {
        return [await site.restart(0), await site.restart(1)];
      } finally {
        over.abort();
      }
    }

    const clients = Array.from({ length: CLIENTS }, (_, client) => use(client));
    const [ends] = await Promise.all([deploy(), ...clients]);
    expect(ends).toEqual(ends.map(() => ({ code: 0, signal: null })));
    expect([...seen.lists]).toEqual(['200']);
    expect([...seen.creations].filter((status) => !creations.includes(status))).toEqual([]);
    expect((await site.names()).toSorted()).toEqual(created.toSorted());
  });
});

/** What a client has seen of a request. */
async function outcome(reply: ReturnType<Site['post']>): Promise<string> {
  try {
    const { status, headers } = await reply;
    return [status, headers['retry-after']].filter(Boolean).join(', Retry-After: ');
  } catch (error) {
    return String(error);
  }
}
