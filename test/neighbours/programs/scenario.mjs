/**
 * Calls the three operations through a generated client, and prints what it got. The environment names the files: ADAPTER tells
 * how the client is called, GENERATED is the client, EXACT_FETCH the `fetch` of the guide. 64-bit integers are printed as texts.
 */
const { ADAPTER, GENERATED, EXACT_FETCH, BASE_URL, API_KEY } = process.env;
const { connect } = await import(ADAPTER);
const generated = await import(GENERATED);
const { exactFetch } = await import(EXACT_FETCH);

const open = (fetch, key = API_KEY) => connect(generated, { baseUrl: BASE_URL, key, fetch });
const pets = open(exactFetch);
const digits = (pet) => ({ ...pet, id: String(pet.id), categoryId: String(pet.categoryId) });
const codeOf = ({ status, data }) => [status, data.code, data.status];

const large = JSON.rawJSON('9223372036854775807');
const created = await pets.create({ name: 'Rex', categoryId: large, status: 'sold' });
const without = await pets.create({ name: 'Luna', categoryId: JSON.rawJSON('3') });
const got = await pets.get(String(created.data.id));

const walked = [];
for (let cursor, page; cursor !== null; cursor = nextOf(page.link)) {
  page = await pets.list({ limit: 2, ...(cursor && { cursor }) });
  walked.push(...page.data.map(({ id }) => String(id)));
}
const sold = await pets.list({ status: 'sold' });

process.stdout.write(
  JSON.stringify({
    created: [created.status, digits(created.data)],
    without: [without.status, digits(without.data)],
    got: [got.status, digits(got.data)],
    walked,
    sold: sold.data.map(({ name }) => name),
    refused: [
      codeOf(await pets.create({ name: 'x' })),
      codeOf(await pets.list({ limit: 101 })),
      codeOf(await pets.get('404')),
      codeOf(await open(exactFetch, 'wrong').get('1')),
    ],
    rounded: String((await open(fetch).get(String(created.data.id))).data.categoryId),
  }),
);

function nextOf(link) {
  const target = /<([^>]*)>; rel="next"/.exec(link ?? '')?.[1];
  return target ? new URL(target).searchParams.get('cursor') : null;
}
