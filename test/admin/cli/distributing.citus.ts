import { exec } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import * as features from '../../../src/features';
import { CliInProcess } from '../../cli/support/cli-in-process';
import { CLI_ENTRY } from '../../cli/support/cli-process';
import { describeOperations } from '../../contract/support/describe-operations';
import { Scrape } from '../../contract/support/scrape';
import { ask, creation, field } from '../../contract/support/request';
import { describeSpreadRows } from '../../contract/support/describe-spread-rows';
import { ProjectCopy } from '../../modules/support/project-copy';
import { codeBlocksOf } from '../../modules/support/guide-blocks';
import { featureNames } from '../../support/service/feature-operations';
import { startTestService, type TestService } from '../../support/service/service';
import { until } from '../../support/until';

/**
 * The coordinator of a cluster that is prepared: with Citus, two workers at least, and a role that may make schemas; and, where a worker
 * may be ended, the shell commands that end one and start it again.
 */
const { CITUS_URL, CITUS_WORKER_STOP, CITUS_WORKER_START } = process.env;

/** Generating a module and running the contract on it, in a copy of the project; in milliseconds. */
const GENERATED_TIMEOUT_MS = 600_000;

const shell = promisify(exec);

interface Health {
  readonly status: string;
  readonly checks: { readonly workers?: { readonly reason?: string } };
}

const PROJECT = join(__dirname, '..', '..', '..');
const PAGE = codeBlocksOf(readFileSync(join(PROJECT, 'docs/operations/citus.md'), 'utf8'));
const ALERT_PAGE = join(PROJECT, 'docs', 'alerts', 'PetstoreCitusWorkerAway.md');

/** A schema of its own on the cluster, which goes with all that is in it. */
class CitusSchema {
  private readonly name = `test_${randomBytes(8).toString('hex')}`;

  get url(): string {
    const url = new URL(CITUS_URL ?? '');
    url.searchParams.set('options', `-c search_path=${this.name}`);
    // psql takes a plus sign as it is.
    return url.href.replaceAll('+', '%20');
  }

  async query<Row>(sql: string): Promise<Row[]> {
    const client = new Client({ connectionString: this.url });
    await client.connect();
    try {
      return (await client.query(sql)).rows as Row[];
    } finally {
      await client.end();
    }
  }

  create = () => this.query(`CREATE SCHEMA ${this.name}`);
  drop = () => this.query(`DROP SCHEMA ${this.name} CASCADE`);
}

if (!CITUS_URL) throw new Error('CITUS_URL has to name the coordinator of a cluster.');

describe('On Citus,', () => {
  const schema = new CitusSchema();
  let first: TestService;
  let second: TestService;
  let cli: CliInProcess;

  beforeAll(async () => {
    await schema.create();
    const start = () => startTestService('postgres', { DATABASE_URL: schema.url });
    first = await start();
    // Where the suites look past the service.
    first = { ...first, database: { ...first.database, url: schema.url } };
    cli = new CliInProcess({ DATABASE_URL: schema.url });
    const commands = PAGE.filter(({ language }) => language === 'sh').flatMap(({ text }) =>
      text.trim().split('\n'),
    );
    for (const command of commands) {
      const [, ...words] = command.split(' ');
      const confirmed = words.includes('--apply') ? [...words, '--yes'] : words;
      expect(await cli.run(...confirmed)).toMatchObject({ code: 0 });
    }
    second = await start();
  });
  afterAll(async () => {
    await first.stop();
    await second.stop();
    await schema.drop();
  });

  it('the distribution has nothing left to do the second time, and is in the audit log', async () => {
    const changes = async () => {
      const { items } = await cli.json<{ items: { action: string }[] }>('audit', 'list');
      return items.filter(({ action }) => action === 'database.distribute');
    };
    expect(await changes()).toHaveLength(1);
    const again = await cli.run('db', 'distribute', '--apply', '--yes');
    expect(again.code).toBe(0);
    expect(await changes()).toHaveLength(1);
    const { tables } = await cli.json<{ tables: { place: string; now: string }[] }>(
      'db',
      'distribute',
      '--plan',
    );
    expect(tables.filter(({ place, now }) => place !== now)).toEqual([]);
  });

  it('the tables match their entities', async () => {
    expect((await cli.run('db', 'check')).code).toBe(0);
  });

  describeOperations('postgres', () => first, featureNames(features));
  describeSpreadRows(() => [first, second]);

  it('the schema changes of the page can be made', async () => {
    const statements = PAGE.filter(({ language }) => language === 'sql').flatMap(({ text }) =>
      text.split(/;\n/),
    );
    expect(statements.length).toBeGreaterThan(5);
    for (const statement of statements.filter((text) => text !== '')) await schema.query(statement);
    expect((await cli.run('db', 'check')).code).toBe(0);
  });

  it(
    'a generated module with references and child rows keeps the contract',
    async () => {
      const copy = new ProjectCopy();
      try {
        const fields =
          'petId:ref(pets) quantity:integer(range,sort) lines:object(petId:ref(pets),quantity:integer)[]';
        // No row of a distributed table is kept from being removed by a local table, such as the suites make up.
        await copy.succeed(
          `npm run -s generate -- feature orders --fields "${fields}" --operations list,create,get,update`,
        );
        const suite = `npm test --ignore-scripts -- --runInBand --testRegex '[.]citus[.]ts$' -t 'of OrdersModule'`;
        const { code, stderr } = await copy.run(suite, { CITUS_URL });
        expect([code, stderr]).toEqual([0, expect.stringMatching(/^Tests: .*[1-9]\d* passed/m)]);
      } finally {
        copy.dispose();
      }
    },
    GENERATED_TIMEOUT_MS,
  );

  // Not every cluster lets a test end its machines.
  if (CITUS_WORKER_STOP && CITUS_WORKER_START)
    describe('without a worker', () => {
      const made: string[] = [];
      const statuses = async () =>
        Object.groupBy(
          await Promise.all(made.map((target) => ask(first, { target }))),
          ({ status }) => status,
        );
      const health = async () => {
        const response = await fetch(`${first.managementUrl}/health/ready`);
        return { status: response.status, body: (await response.json()) as Health };
      };

      const workersUp = async () =>
        Object.values((await Scrape.of(first)).values('petstore_citus_worker_up', 'worker'));

      beforeAll(async () => {
        for (let count = 0; count < 40; count++) {
          made.push(
            field(await ask(first, creation('{"name":"spread","categoryId":1}')), 'location') as string,
          );
        }
        await shell(CITUS_WORKER_STOP);
      });

      it('only requests for its rows are 503 with Retry-After', async () => {
        const { 200: found = [], 503: away = [], ...others } = await statuses();
        expect(others).toEqual({});
        expect([found.length > 0, away.length > 0]).toEqual([true, true]);
        expect(away.filter((response) => field(response, 'retry-after') === undefined)).toEqual([]);
      });

      it('the service is ready, and says which shards are away', async () => {
        const sentence = /^The worker \S+:\d+ does not answer; it holds \d+ of \d+ shards of /;
        const reason = expect.stringMatching(sentence);
        // Where the machine is slow, the workers do not always say in time.
        let found = await health();
        await until(async () => sentence.test((found = await health()).body.checks.workers?.reason ?? ''));
        expect(found).toMatchObject({
          status: 200,
          body: { status: 'degraded', checks: { workers: { status: 'degraded', reason } } },
        });
        expect((await fetch(`${first.url}/health/ready`)).status).toBe(200);
        const { checks } = JSON.parse((await cli.process.run('doctor', '--json')).stdout) as {
          checks: { name: string; status: string; found: string }[];
        };
        expect(checks).toContainEqual(
          expect.objectContaining({ name: 'workers', status: 'fail', found: reason }),
        );
      });

      it('the metrics say which worker is away, and that the node is ready', async () => {
        await until(async () => (await workersUp()).includes(0));
        expect(new Set(await workersUp())).toEqual(new Set([0, 1]));
        await until(async () => (await Scrape.of(first)).value('petstore_ready') === 1);
      });

      it('the commands on the page of the alert show which worker is away', async () => {
        const blocks = codeBlocksOf(readFileSync(ALERT_PAGE, 'utf8')).filter(({ note }) => note === 'citus');
        expect(blocks).toHaveLength(1);
        const petstore = `petstore() { '${process.execPath}' '${CLI_ENTRY}' "$@" || true; }`;
        const { stdout } = await shell(`${petstore}\n${blocks[0]?.text}`, {
          env: { PATH: process.env.PATH, DATABASE_URL: schema.url },
        });
        expect(stdout).toMatch(/The worker \S+:\d+ does not answer; it holds \d+ of \d+ shards of /);
        expect(stdout).toMatch(/\| f +\|/);
        expect(stdout).toMatch(/\| t +\|/);
      });

      it('the service recovers by itself when the worker is back, without a half-done creation', async () => {
        await shell(CITUS_WORKER_START);
        await until(async () => (await health()).body.status === 'ok');
        await until(async () => !(await workersUp()).includes(0));
        expect(Object.keys(await statuses())).toEqual(['200']);
      });
    });
});
