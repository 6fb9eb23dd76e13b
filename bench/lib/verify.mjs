import assert from 'node:assert/strict';
import { makeApiKey } from './api-key.mjs';
import { petOf, STATUSES } from './data.mjs';
import { PAGE_SIZE } from './scenarios.mjs';

/**
 * Holds the responses of one server against the rows it was given, so that every server is measured
 * doing the same work. Throws an AssertionError that names the server.
 */
export async function verifyServer(server, token) {
  const call = async (path, { key = token, ...init } = {}) => {
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
    const response = await fetch(server.url + path, { headers, ...init });
    return { status: response.status, link: response.headers.get('link'), body: await response.json() };
  };

  for (const status of STATUSES) {
    const page = await call(`/v1/pets?limit=${PAGE_SIZE}&status=${status}`);
    assert.equal(page.status, 200, `${server.name}: list`);
    assert.deepEqual(page.body, firstPage(status), `${server.name}: rows of the list`);
    assert.match(page.link ?? '', /^<http:[^>]+>; rel="next"$/, `${server.name}: link to the next page`);
  }
  const got = await call('/v1/pets/7');
  assert.deepEqual([got.status, got.body], [200, petOf(7)], `${server.name}: get`);

  const newPet = { name: 'Newcomer', categoryId: 3, status: 'sold' };
  const created = await call('/v1/pets', { method: 'POST', body: JSON.stringify(newPet) });
  assert.equal(created.status, 201, `${server.name}: create`);
  assert.deepEqual(created.body, { id: created.body.id, ...newPet }, `${server.name}: created pet`);
  const stored = await call(`/v1/pets/${created.body.id}`);
  assert.deepEqual(stored.body, created.body, `${server.name}: stored pet`);

  for (const key of [makeApiKey(), 'not-a-key']) {
    assert.equal((await call('/v1/pets', { key })).status, 401, `${server.name}: refused key`);
  }
}

/** Holds a server with duties to what of them a client can see. */
export async function verifyDuties(server, token) {
  const response = await fetch(`${server.url}/v1/pets/7`, { headers: { authorization: `Bearer ${token}` } });
  const names = [...response.headers.keys()];
  for (const duty of [/^etag$/, /^x-request-id$/, /^(x-)?ratelimit/]) {
    assert.ok(
      names.some((name) => duty.test(name)),
      `${server.name}: a header ${duty}`,
    );
  }
}

function firstPage(status) {
  const pets = [];
  for (let id = 1; pets.length < PAGE_SIZE; id += 1) {
    const pet = petOf(id);
    if (pet.status === status) pets.push(pet);
  }
  return pets;
}
