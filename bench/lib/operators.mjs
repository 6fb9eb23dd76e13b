import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { keepRequesting } from './client.mjs';
import { Fleet } from './fleet.mjs';
import { SqliteDatabases } from './sqlite-databases.mjs';
import { quantile, summarize } from './statistics.mjs';

const ROWS = 700_000;
const ROUNDS = 3;
const ROUND_MS = 5_000;
const CONNECTIONS = 2;

/** Pets that are changed at once, at most as many as the console changes. */
const CHANGED = 10_000;
/** Category of those, which no other pet has. */
const CATEGORY = 1_000;
const IMPORTED = 50_000;
const DAY_MS = 86_400_000;
const POLL_MS = 100;

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

/** How the service is asked for pets beside what an operator does: nothing, and what takes a large table some seconds. */
const WORKS = {
  alone: { title: 'nothing', work: (_, isOver) => until(isOver) },
  pages: { title: `${PAGES.length} pages of the console at once`, work: askPages },
  export: { title: 'an export of all pets', work: exportAll },
  change: { title: `a change of ${CHANGED.toLocaleString('en')} and its undo`, work: changeMany },
  import: { title: `an import of ${IMPORTED.toLocaleString('en')}`, work: importMany },
  undo: { title: 'the undo of that import', work: undoImport },
};

/**
 * Times gets of clients on SQLite beside what operators do in the console, each in turn.
 *
 * @returns `{rows, rssBytes: {before, after}, works: {[key]: {title, p50, p99, longest, seconds, cpuSeconds}}}`: waits in
 *   milliseconds and what the work took, each summarized over the rounds; of the processor, gets are a part
 */
export async function measureOperators(folder, kind, token, machine, progress) {
  const urlOf = (name) => new SqliteDatabases(folder).urlOf(name);
  const fleet = new Fleet({ urlOf, fill }, folder, token);
  try {
    const server = await fleet.startFilled(kind, ROWS, 'operators');
    const operator = await signIn(server.managementUrl, token, urlOf('operators'));
    const before = server.rssBytes();
    const rounds = [];
    for (let round = 1; round <= ROUNDS; round += 1) {
      progress(`  round ${round}`);
      // Made again as a whole: what has been undone cannot be undone again.
      const { result } = await machine.round(async (watch) => {
        const samples = {};
        for (const [key, { title, work }] of Object.entries(WORKS))
          samples[key] = await watch(title, () => getsBeside(server, token, operator, work));
        return samples;
      });
      rounds.push(result);
    }
    const works = Object.entries(WORKS).map(([key, { title }]) => {
      const figures = Object.keys(rounds[0][key]).map((name) => [
        name,
        summarize(rounds.map((samples) => samples[key][name])),
      ]);
      return [key, { title, ...Object.fromEntries(figures) }];
    });
    return { rows: ROWS, rssBytes: { before, after: server.rssBytes() }, works: Object.fromEntries(works) };
  } finally {
    await fleet.stopAll();
  }
}

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

/** Signs in to the console; the operator is `{ask(path, init), read(path), send(path, body), file}`, the last the database's. */
async function signIn(origin, key, url) {
  const response = await fetch(`${origin}/admin/sign-in`, {
    method: 'POST',
    redirect: 'manual',
    headers: { Origin: origin },
    body: new URLSearchParams({ key }),
  });
  if (response.status !== 303) throw new Error(`The console responded with ${response.status}.`);
  const cookies = response.headers.getSetCookie().map((text) => text.split(';')[0]);
  const headers = { Cookie: cookies.join('; '), Origin: origin };
  const ask = async (path, init) => {
    const answer = await fetch(origin + path, { headers, redirect: 'manual', ...init });
    if (answer.status >= 400) throw new Error(`${path} was responded to with ${answer.status}.`);
    return answer;
  };
  return {
    ask,
    read: async (path) => (await ask(path)).text(),
    send: async (path, body) => ask(path, { method: 'POST', body }),
    file: url.slice('sqlite:'.length),
  };
}

/** What gets waited for, one after the other on each connection, while a work goes on, and what that took. */
async function getsBeside(server, token, operator, work) {
  const times = [];
  let isOver = false;
  const headers = { Authorization: `Bearer ${token}` };
  const next = () =>
    isOver ? undefined : { method: 'GET', path: `/v1/pets/${1 + Math.floor(Math.random() * ROWS)}`, headers };
  const onResponse = (status, milliseconds) => {
    if (status !== 200) throw new Error(`A get was responded to with ${status}.`);
    times.push(milliseconds);
  };
  const getting = Promise.all(
    Array.from({ length: CONNECTIONS }, () => keepRequesting(server.url, next, onResponse)),
  );
  const begin = performance.now();
  const cpu = server.cpuMicros();
  await work(operator, () => performance.now() - begin > ROUND_MS).finally(() => (isOver = true));
  const seconds = (performance.now() - begin) / 1_000;
  const cpuSeconds = (server.cpuMicros() - cpu) / 1e6;
  await getting;
  const [p50, p99, longest] = [0.5, 0.99, 1].map((share) => quantile(times, share));
  return { p50, p99, longest, seconds, cpuSeconds };
}

async function until(isOver) {
  while (!isOver()) await sleep(POLL_MS);
}

/** Every page at once, again and again. */
async function askPages({ read }, isOver) {
  while (!isOver()) await Promise.all(PAGES.map(read));
}

/** An export of all pets, again and again; a download in progress at the end is given up. */
async function exportAll({ ask }, isOver) {
  while (!isOver()) {
    const { body } = await ask(`${LIST}/export/csv`);
    for await (const _ of body) if (isOver()) break;
  }
}

/** Changes many pets and undoes that, again and again. */
async function changeMany({ read, send }, isOver) {
  while (!isOver()) {
    const path = `${LIST}/bulk?categoryId=${CATEGORY}&set-status=pending`;
    await send(path, formOf(await read(path), 'expected-count', URLSearchParams));
    const [, change] = /href="\/admin\/audit\/(\d+)"/.exec(await read('/admin/audit'));
    const undo = `${LIST}/changes/${change}/undo`;
    await send(undo, formOf(await read(`/admin/audit/${change}`), undo, URLSearchParams));
  }
}

let imports = 0;

/** Imports a file that no round before has imported. */
async function importMany({ read, send }) {
  imports += 1;
  const lines = Array.from({ length: IMPORTED }, (_, i) => `Import ${imports} ${i},${CATEGORY + 1}\n`);
  const file = new File([`name,categoryId\n${lines.join('')}`], 'pets.csv');
  const form = formOf(await read('/admin/sessions'), '/admin/sign-out', FormData);
  form.set('format', '');
  form.set('file', file);
  const path = `${LIST}/import`;
  const preview = await (await send(path, form)).text();
  await send(`${path}/run`, formOf(preview, `${path}/run`, FormData));
}

/** Undoes the newest import, which is the work of a job. */
async function undoImport({ read, send, file }) {
  const db = new Database(file, { readonly: true });
  try {
    const newest = db
      .prepare('SELECT id, undone_at FROM import_runs ORDER BY id DESC LIMIT 1')
      .safeIntegers();
    const path = `${LIST}/imports/${newest.get().id}/undo`;
    await send(path, formOf(await read(path), path, URLSearchParams));
    await until(() => newest.get().undone_at !== null);
  } finally {
    db.close();
  }
}

/** A form of a page, as the fields it has hidden: the last whose address has a part. */
function formOf(html, part, Form) {
  const form = html.split('<form').findLast((one) => one.includes(part));
  const fields = (form ?? '').matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  const sent = new Form();
  for (const [, name, value] of fields) sent.append(name, value);
  return sent;
}
