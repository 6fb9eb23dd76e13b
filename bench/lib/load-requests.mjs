const PET = '{"name":"Rex","categoryId":1}';

/**
 * The next request of a load, without its headers.
 *
 * @param asks `get`, `list` or `create`; several are asked for as often as each stands there
 * @param page how many pets a list has
 * @param rows the pets of which one is got
 */
export function nextRequest({ asks = ['get'], page, rows }) {
  const kind = asks[Math.floor(Math.random() * asks.length)];
  if (kind === 'create') return { method: 'POST', path: '/v1/pets', body: PET };
  if (kind === 'list') return { method: 'GET', path: `/v1/pets?limit=${page}` };
  return { method: 'GET', path: `/v1/pets/${1 + Math.floor(Math.random() * rows)}` };
}
