import assert from 'node:assert/strict';
import { measureInterleaved } from './rounds.mjs';
import { anew, makeScenarios, PAGE_SIZE } from './scenarios.mjs';

const DEEP_PAGE = 10_000;
export const SMALL_ROWS = 1_000;
const NAMES = ['anew', 'get'];

/**
 * Lists read anew and gets on a small table beside a large one, and the first page of the large one beside its 10,000th.
 *
 * @returns `{size: {[scenario]: {small, large}}, depth?: {first, deep}}`
 */
export async function measureTables(fleet, service, token, plan, machine) {
  const small = await fleet.startFilled(service, SMALL_ROWS, 'table-small');
  const large = await fleet.startFilled(service, plan.largeRows, 'table-large');
  const scenarioOf = (name, rows) => makeScenarios(token, rows).find((one) => one.name === name);
  const size = {};
  for (const name of NAMES.filter((one) => plan.scenarios.includes(one))) {
    const contenders = [
      { key: 'small', server: small, scenario: scenarioOf(name, SMALL_ROWS) },
      { key: 'large', server: large, scenario: scenarioOf(name, plan.largeRows) },
    ];
    size[name] = await measureInterleaved(contenders, plan, machine);
  }
  const depth = plan.scenarios.includes('anew') ? await measureDepth(large, token, plan, machine) : undefined;
  await fleet.stopAll();
  return { size, depth };
}

async function measureDepth(server, token, plan, machine) {
  const headers = { Authorization: `Bearer ${token}` };
  const page = (name, path) =>
    anew({ name, title: name, statuses: [200], request: () => ({ method: 'GET', path, headers }) });
  const first = page('first page', `/v1/pets?limit=${PAGE_SIZE}`);
  const deep = page('deep page', await pathOfDeepPage(server, headers));
  const contenders = [
    { key: 'first', server, scenario: first },
    { key: 'deep', server, scenario: deep },
  ];
  return measureInterleaved(contenders, plan, machine);
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
