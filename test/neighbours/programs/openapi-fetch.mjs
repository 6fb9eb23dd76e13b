/** openapi-typescript with openapi-fetch. */
export function connect({ default: createClient }, { baseUrl, key, fetch }) {
  const client = createClient({ baseUrl, fetch, headers: { Authorization: `Bearer ${key}` } });
  const result = ({ data, error, response }) => ({
    status: response.status,
    data: data ?? error,
    link: response.headers.get('link'),
  });
  return {
    create: async (body) => result(await client.POST('/pets', { body })),
    list: async (query) => result(await client.GET('/pets', { params: { query } })),
    get: async (petId) => result(await client.GET('/pets/{petId}', { params: { path: { petId } } })),
  };
}
