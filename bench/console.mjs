/**
 * Gets of clients beside every page of the console at once, beside an export of all pets, and beside a change of many and its undo, on
 * SQLite with a large table: alone and together in turn.
 * Figures go to stdout. Exit code 1 on any wrong response or when a get waits longer than it may.
 *
 * usage: npm run bench:console -- [rows]
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
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

/** Pets that are changed at once, at most as many as the console changes. */
const CHANGED = 10_000;
/** Category of those, which no other pet has. */
const CATEGORY = 1_000;
const DAY_MS = 86_400_000;

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
  '/admin/audit?action=nothing',
  '/admin/requests?status=418',
  '/admin/requests?node=nothing&slow=5000',
  '/admin/keys?q=nobody',
  '/admin/keys?status=all&sort=-used',
  '/admin/reports',
  '/admin/jobs',
  '/admin/system',
];

/** Pets; a tenth as many requests and audit events; a thousandth as many keys. */
function fill(url, rows) {
  const db = new Database(url.slice('sqlite:'.length), { fileMustExist: true });
  db.pragma('synchronous = OFF');
  const insert = (columns, values, count) =>
    db
      .prepare(
        `INSERT INTO ${columns} WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) SELECT ${values} FROM n`,
      )
      .run(Math.ceil(count));
  insert(
    'pets (name, category_id, status)',
    `'Rex ' || i, CASE WHEN i <= ${CHANGED} THEN ${CATEGORY} ELSE i % 50 END, CASE i % 3 WHEN 0 THEN 'sold' WHEN 1 THEN 'pending' ELSE 'available' END`,
    rows,
  );
  insert(
    'audit_events (at, actor, action, subject_type, subject_id, after)',
    `${at('i')}, 'key_' || i % 50, 'pets.update', 'pets', i, '{"name":"Rex ' || i || '"}'`,
    rows / 10,
  );
  const firstId = BigInt(Date.now() - DAY_MS) * 4_096n;
  insert(
    'request_log (id, at, request_id, key_id, method, route, status, outcome, duration_ms, node)',
    `${firstId} + i, ${at('i')}, 'request-' || i, 'key_' || i % 50, 'GET', '/v1/pets', 200, 'succeeded', 1.5, 'bench'`,
    rows / 10,
  );
  insert(
    'api_keys (id, token_hash, hint, name, scopes, lineage_id, created_at)',
    `'key_' || i, 'hash ' || i, 'hint ' || i, 'Key ' || i, 'pets:read', 'key_' || i, ${at('i')}`,
    rows / 1_000,
  );
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

/** SQL expression of the instant a day ago and as many milliseconds later, as the service stores it. */
function at(milliseconds) {
  return `strftime('%Y-%m-%d %H:%M:%f', ${(Date.now() - DAY_MS) / 1_000} + ${milliseconds} / 1000.0, 'unixepoch')`;
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

/** An export of all pets, again and again, until `isOver`; a download in progress then is given up. */
async function exportAll(origin, cookie, isOver) {
  while (!isOver()) {
    const response = await fetch(`${origin}${LIST}/export/csv`, { headers: { Cookie: cookie } });
    if (!response.ok) throw new Error(`An export was responded to with ${response.status}.`);
    for await (const _ of response.body) if (isOver()) break;
  }
}

/** A form of a page, as the fields it has hidden: the last whose address has a part. */
function formOf(html, part) {
  const form = html.split('<form').findLast((one) => one.includes(part));
  const fields = (form ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return new URLSearchParams([...fields].map(([, name, value]) => [name, value]));
}

/** Changes many pets and undoes that, again and again, until `isOver`. */
async function changeMany(origin, cookie, isOver) {
  const headers = { Cookie: cookie, Origin: origin };
  const read = async (path) => (await fetch(origin + path, { headers })).text();
  const send = async (path, body) => {
    const { status, headers: sent } = await fetch(origin + path, {
      method: 'POST',
      redirect: 'manual',
      headers,
      body,
    });
    if (status !== 303) throw new Error(`${path} was responded to with ${status}.`);
    return sent.get('location');
  };
  while (!isOver()) {
    const path = `${LIST}/bulk?categoryId=${CATEGORY}&set-status=pending`;
    await send(path, formOf(await read(path), 'expected-count'));
    const audit = await read('/admin/audit');
    const [, change] = /href="\/admin\/audit\/(\d+)"/.exec(audit);
    const undo = `${LIST}/changes/${change}/undo`;
    await send(undo, formOf(await read(`/admin/audit/${change}`), undo));
  }
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
try {
  const server = await fleet.startFilled(serviceKind(ROOT), rows, 'console');
  const origin = server.managementUrl;
  const cookie = await signIn(origin, token);
  const [alone, beside, besideExport, besideChange, slowest] = [[], [], [], [], {}];
  const getsDuring = async (times, work) => {
    let isOver = false;
    const getting = gets(server, token, rows, () => isOver);
    const until = performance.now() + ROUND_MS;
    await work(() => performance.now() > until).finally(() => (isOver = true));
    times.push(...(await getting));
  };
  const memory = server.rssBytes();
  for (let round = 0; round < ROUNDS; round++) {
    const end = performance.now() + ROUND_MS;
    alone.push(...(await gets(server, token, rows, () => performance.now() > end)));
    await getsDuring(beside, (isOver) => askConsole(origin, cookie, isOver, slowest));
    await getsDuring(besideExport, (isOver) => exportAll(origin, cookie, isOver));
    await getsDuring(besideChange, (isOver) => changeMany(origin, cookie, isOver));
  }
  const figures = (times) => [0.5, 0.99, 1].map((share) => quantile(times, share));
  const [before, ...after] = [alone, beside, besideExport, besideChange].map(figures);
  const row = (name, times, values) => [
    name,
    times.length.toLocaleString('en'),
    ...values.map((one) => one.toFixed(1)),
  ];
  process.stdout.write(
    `${rows.toLocaleString('en')} pets; ${Math.round(memory / 1e6)} MB before the console was asked, ${Math.round(server.rssBytes() / 1e6)} MB after\n\n` +
      `${table(['gets', 'number', 'median, ms', 'p99', 'longest'], [row('alone', alone, before), row('beside the console', beside, after[0]), row('beside an export', besideExport, after[1]), row('beside a change of many', besideChange, after[2])])}\n\n` +
      `${table(
        ['page of the console', 'longest, ms'],
        Object.entries(slowest).map(([path, time]) => [path, time.toFixed(0)]),
      )}\n`,
  );
  const isKept = after.every(
    ([, p99, longest]) => p99 - before[1] <= MOST_AT_P99 && longest - before[2] <= MOST_AT_ALL,
  );
  if (!isKept) process.exitCode = 1;
} finally {
  await fleet.stopAll();
}
