import { randomBytes } from 'node:crypto';
import { copyFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import pg from 'pg';
import { compile } from './compile.mjs';
import { CATEGORIES, NAMES, STATUSES } from './data.mjs';

const TEST_SERVER = 'databases/postgres-server';
const REAPER = 'databases/postgres-reaper-process.mts';

// The rows of `petOf`; arrays begin at 1.
const FILL = `
  insert into pets (id, name, category_id, status)
  select id, ($2::text[])[id % cardinality($2::text[]) + 1] || ' ' || id, id % $3 + 1,
    ($4::text[])[id % cardinality($4::text[]) + 1]
  from generate_series(1, $1::int) as id`;

/** Databases of this run on one PostgreSQL server. */
export class PostgresDatabases {
  #server;
  #url;
  #prefix = `bench_${randomBytes(4).toString('hex')}`;
  #made = new Map();

  /** On the server at `url`, where the user may make databases, or on one of its own that `root`'s tests use, too. */
  static async open(url, root, folder) {
    const databases = new PostgresDatabases();
    databases.#server = url ? undefined : await startServer(root, folder);
    databases.#url = url ?? databases.#server.url;
    return databases;
  }

  /** The address of the database called `name`, which is made when it is not there. */
  async urlOf(name) {
    const known = this.#made.get(name);
    if (known) return known;
    const database = `${this.#prefix}_${this.#made.size}`;
    await query(this.#url, `create database ${database}`);
    const url = new URL(this.#url);
    url.pathname = database;
    this.#made.set(name, url.href);
    return url.href;
  }

  /** Writes pets 1 to `count` into a database whose schema its server has made. */
  async fill(url, count) {
    await query(url, FILL, [count, NAMES, CATEGORIES, STATUSES]);
    await query(url, `select setval(pg_get_serial_sequence('pets', 'id'), $1)`, [count]);
    await query(url, 'vacuum analyze pets');
  }

  async version() {
    const [{ server_version: version }] = await query(this.#url, 'show server_version');
    return version;
  }

  /** Ends the server, or drops the databases of this run on one that was here before. */
  async close() {
    if (this.#server) {
      await this.#server.stop();
      return;
    }
    for (const url of this.#made.values()) {
      await query(this.#url, `drop database ${new URL(url).pathname.slice(1)}`);
    }
  }
}

/** The server of the tests, which ends with this process and whose files then go. */
function startServer(root, folder) {
  const support = join(root, 'test/support');
  const compiled = join(folder, 'postgres');
  compile(support, compiled, '{databases/postgres-*,processes/free-port,until}.ts');
  copyFileSync(join(support, REAPER), join(compiled, REAPER));
  // It makes its files among the temporary ones, and those may be memory: a write would wait for no disk.
  process.env.TMPDIR = join(root, 'data');
  const { startPostgresServer } = createRequire(import.meta.url)(join(compiled, TEST_SERVER));
  return startPostgresServer();
}

async function query(url, text, values) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, values)).rows;
  } finally {
    await client.end();
  }
}
