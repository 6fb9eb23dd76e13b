import assert from 'node:assert/strict';
import { anew, PAGE_SIZE, requests } from './scenarios.mjs';
import { measureInterleaved } from './rounds.mjs';
import { summarize } from './statistics.mjs';

export const DEEP_PAGE = 10_000;
export const SMALL_ROWS = 1_000;

/** Milliseconds from spawn to ready, on an existing database and on a new one it has to migrate. */
export async function measureStarts(fleet, kind, existing, plan) {
  const times = { existing: [], fresh: [] };
  for (let n = 0; n < plan.starts; n += 1) {
    for (const [label, file] of [
      ['existing', existing],
      ['fresh', `fresh-${n}`],
    ]) {
      const server = await fleet.start(kind, file);
      times[label].push(server.readyMs);
      await fleet.stop(server);
    }
  }
  return { existing: summarize(times.existing), fresh: summarize(times.fresh) };
}

/** First page against the 10,000th, each read anew, on one server with `plan.largeRows` pets. */
export async function measureDepth(server, token, plan) {
  const headers = { Authorization: `Bearer ${token}` };
  const page = (path) => ({ statuses: [200], request: () => ({ method: 'GET', path, headers }) });
  const deepPath = await pathOfDeepPage(server, headers);
  return measureInterleaved(
    [
      {
        key: 'first',
        server,
        scenario: anew({ name: 'first page', ...page(`/v1/pets?limit=${PAGE_SIZE}`) }),
      },
      { key: 'deep', server, scenario: anew({ name: 'deep page', ...page(deepPath) }) },
    ],
    plan,
  );
}

/** List and get on a small table against the same on a large one. */
export async function measureSize(small, large, token, plan) {
  const results = {};
  for (const name of ['list', 'get']) {
    results[name] = await measureInterleaved(
      [
        { key: 'small', server: small, scenario: scenario(name, token, SMALL_ROWS) },
        { key: 'large', server: large, scenario: scenario(name, token, plan.largeRows) },
      ],
      plan,
    );
  }
  return results;
}

function scenario(name, token, rows) {
  return anew({ name, statuses: [200], request: requests(token, rows)[name] });
}

// Walks in pages of 100 as far as they fit, then in pages of PAGE_SIZE.
async function pathOfDeepPage(server, headers) {
  const before = (DEEP_PAGE - 1) * PAGE_SIZE;
  let path = '/v1/pets';
  for (let seen = 0; seen < before;) {
    const limit = Math.min(100, before - seen);
    const response = await fetch(server.url + withLimit(path, limit), { headers });
    const pets = await response.json();
    assert.equal(pets.length, limit, `${server.name}: rows on the way to page ${DEEP_PAGE}`);
    seen += limit;
    const link = /<([^>]+)>; rel="next"/.exec(response.headers.get('link') ?? '');
    assert.ok(link, `${server.name}: link to the next page after ${seen} pets`);
    path = link[1];
  }
  path = withLimit(path, PAGE_SIZE);
  const pets = await (await fetch(server.url + path, { headers })).json();
  assert.equal(pets[0].id, before + 1, `${server.name}: first pet of page ${DEEP_PAGE}`);
  assert.equal(pets.length, PAGE_SIZE, `${server.name}: size of page ${DEEP_PAGE}`);
  return path;
}

function withLimit(path, limit) {
  const url = new URL(path, 'http://localhost');
  url.searchParams.set('limit', String(limit));
  return url.pathname + url.search;
}
