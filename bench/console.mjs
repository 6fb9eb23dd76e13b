/**
 * Gets of clients beside every page of the console at once, on SQLite with a large table: alone and together in turn.
 * Figures go to stdout. Exit code 1 on any wrong response or when a get waits longer than it may.
 *
 * usage: npm run bench:console -- [rows]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { makeApiKey } from './lib/api-key.mjs';
import { keepRequesting } from './lib/client.mjs';
import { Fleet } from './lib/fleet.mjs';
import { serviceKind } from './lib/kinds.mjs';
import { table } from './lib/report-tables.mjs';
import { SqliteDatabases } from './lib/sqlite-databases.mjs';
import { quantile } from './lib/statistics.mjs';

const ROOT = join(import.meta.dirname, '..');
const DEFAULT_ROWS = 10_000_000;
const ROUNDS = 3;
const ROUND_MS = 5_000;
const CONNECTIONS = 2;

/** What a get may take longer beside the console, in milliseconds. */
const MOST_AT_P99 = 50;
const MOST_AT_ALL = 200;

const LIST = '/admin/records/pets';
const PAGES = [
  '/admin/overview',
  LIST,
  `${LIST}?name=nobody`,
  `${LIST}?name=nobody&sort-by=name`,
  `${LIST}?name=9999999&status=sold`,
  `${LIST}?removed-records=only`,
  `${LIST}?status=sold`,
  `${LIST}/bulk?name=nobody`,
  `${LIST}/export/csv?name=nobody`,
  `${LIST}/1`,
  '/admin/find?q=Rex',
  '/admin/audit?actor=nobody',
  '/admin/requests?status=418',
  '/admin/keys?q=nobody',
  '/admin/reports',
  '/admin/jobs',
  '/admin/system',
];

async function freePort() {
  const probe = createServer();
  await new Promise((resolve) => probe.listen(0, '127.0.0.1', resolve));
  const { port } = probe.address();
  await new Promise((resolve) => probe.close(resolve));
  return port;
}

function fill(url, rows) {
  const db = new Database(url.slice('sqlite:'.length), { fileMustExist: true });
  db.pragma('synchronous = OFF');
  db.prepare(
    `INSERT INTO pets (name, category_id, status) WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     SELECT 'Rex ' || i, i % 50, CASE i % 3 WHEN 0 THEN 'sold' WHEN 1 THEN 'pending' ELSE 'available' END FROM n`,
  ).run(rows);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

async function signIn(origin, key) {
  const response = await fetch(`${origin}/admin/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: origin },
    body: new URLSearchParams({ key }),
  });
  if (response.status !== 303) throw new Error(`The console responded with ${response.status}.`);
  return response.headers
    .getSetCookie()
    .map((text) => text.split(';')[0])
    .join('; ');
}

/** Milliseconds of gets, one after the other on each connection, until `isOver`. */
async function gets(server, token, rows, isOver) {
  const times = [];
  const headers = { Authorization: `Bearer ${token}` };
  const next = () =>
    isOver()
      ? undefined
      : { method: 'GET', path: `/v1/pets/${1 + Math.floor(Math.random() * rows)}`, headers };
  const onResponse = (status, milliseconds) => {
    if (status !== 200) throw new Error(`A get was responded to with ${status}.`);
    times.push(milliseconds);
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, () => keepRequesting(server.url, next, onResponse)));
  return times;
}

/** Every page at once, again and again, until `isOver`. */
async function askConsole(origin, cookie, isOver, slowest) {
  while (!isOver()) {
    await Promise.all(
      PAGES.map(async (path) => {
        const begin = performance.now();
        const response = await fetch(origin + path, { headers: { Cookie: cookie } });
        await response.arrayBuffer();
        if (!response.ok) throw new Error(`${path} was responded to with ${response.status}.`);
        slowest[path] = Math.max(slowest[path] ?? 0, performance.now() - begin);
      }),
    );
  }
}

const rows = Number(process.argv[2] ?? DEFAULT_ROWS);
mkdirSync(join(ROOT, 'data'), { recursive: true });
const folder = mkdtempSync(join(ROOT, 'data', 'bench-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => process.exit(130));
const token = makeApiKey();
const fleet = new Fleet({ urlOf: (name) => new SqliteDatabases(folder).urlOf(name), fill }, folder, token);
const managementPort = await freePort();
const service = serviceKind(ROOT);
const kind = {
  ...service,
  env: (given) => ({
    ...service.env(given),
    MANAGEMENT_HOST: '127.0.0.1',
    MANAGEMENT_PORT: String(managementPort),
  }),
};
const origin = `http://127.0.0.1:${managementPort}`;
try {
  const server = await fleet.startFilled(kind, rows, 'console');
  const cookie = await signIn(origin, token);
  const [alone, beside, slowest] = [[], [], {}];
  const memory = server.rssBytes();
  for (let round = 0; round < ROUNDS; round++) {
    const end = performance.now() + ROUND_MS;
    alone.push(...(await gets(server, token, rows, () => performance.now() > end)));
    let isOver = false;
    const getting = gets(server, token, rows, () => isOver);
    const until = performance.now() + ROUND_MS;
    await askConsole(origin, cookie, () => performance.now() > until, slowest).finally(() => (isOver = true));
    beside.push(...(await getting));
  }
  const figures = (times) => [0.5, 0.99, 1].map((share) => quantile(times, share));
  const [before, after] = [figures(alone), figures(beside)];
  const row = (name, times, values) => [
    name,
    times.length.toLocaleString('en'),
    ...values.map((one) => one.toFixed(1)),
  ];
  process.stdout.write(
    `${rows.toLocaleString('en')} pets; ${Math.round(memory / 1e6)} MB before the console was asked, ${Math.round(server.rssBytes() / 1e6)} MB after\n\n` +
      `${table(['gets', 'number', 'median, ms', 'p99', 'longest'], [row('alone', alone, before), row('beside the console', beside, after)])}\n\n` +
      `${table(
        ['page of the console', 'longest, ms'],
        Object.entries(slowest).map(([path, time]) => [path, time.toFixed(0)]),
      )}\n`,
  );
  const isKept = after[1] - before[1] <= MOST_AT_P99 && after[2] - before[2] <= MOST_AT_ALL;
  if (!isKept) process.exitCode = 1;
} finally {
  await fleet.stopAll();
}
