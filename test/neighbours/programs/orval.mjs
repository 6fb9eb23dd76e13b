/** orval, whose mutator sends the requests: the one below. */
export function connect({ createPet, listPets, getPet }, { baseUrl, key, fetch }) {
  const send = { baseUrl, fetch, headers: { Authorization: `Bearer ${key}` } };
  const result = ({ status, data, headers }) => ({ status, data, link: headers.get('link') });
  return {
    create: async (body) => result(await createPet(body, send)),
    list: async (query) => result(await listPets(query, send)),
    get: async (petId) => result(await getPet(petId, send)),
  };
}
