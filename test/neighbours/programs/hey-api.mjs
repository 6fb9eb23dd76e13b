/** @hey-api/openapi-ts with its transformers, which make a bigint of each int64. */
export function connect({ createClient, createPet, listPets, getPet }, { baseUrl, key, fetch }) {
  const client = createClient({ baseUrl, fetch, auth: key });
  const result = ({ data, error, response }) => ({
    status: response.status,
    data: data ?? error,
    link: response.headers.get('link'),
  });
  return {
    create: async (body) => result(await createPet({ client, body })),
    list: async (query) => result(await listPets({ client, query })),
    get: async (petId) => result(await getPet({ client, path: { petId } })),
  };
}
