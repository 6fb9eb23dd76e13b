/** swagger-typescript-api, whose functions throw responses that are errors. */
export function connect({ Api }, { baseUrl, key, fetch }) {
  const { pets } = new Api({
    baseUrl,
    customFetch: fetch,
    baseApiParams: { headers: { Authorization: `Bearer ${key}` } },
  });
  const result = async (calling) => {
    const response = await calling.catch((refused) => refused);
    if (response instanceof Error) throw response;
    return {
      status: response.status,
      data: response.data ?? response.error,
      link: response.headers.get('link'),
    };
  };
  return {
    create: (body) => result(pets.createPet(body)),
    list: (query) => result(pets.listPets(query)),
    get: (petId) => result(pets.getPet(petId)),
  };
}
