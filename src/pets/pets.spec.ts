import {
  addSample,
  describeEachEngine,
  startTestService,
  type TestService,
} from '@petstore/platform/testing';

const OPTIONAL = ['status'];

describeEachEngine('pets', (engine) => {
  let service: TestService;
  let newPet: Record<string, unknown>;

  beforeAll(async () => {
    service = await startTestService(engine);
    newPet = { name: 'Rex', categoryId: 3, status: 'available' };
  });
  afterAll(() => service.stop());

  async function read(path: string): Promise<unknown> {
    return (await service.fetch(path)).json();
  }

  it('responds with a pet as it was added, and where it is', async () => {
    const created = await service.post('/v1/pets', newPet);
    expect(created.status).toBe(201);
    const pet = (await created.json()) as { id: number };
    expect(pet).toEqual({ ...newPet, id: pet.id });
    expect(created.headers.get('location')).toBe(`/v1/pets/${pet.id}`);
    expect(await read(`/v1/pets/${pet.id}`)).toEqual(pet);
  });

  it('leaves out what was never set', async () => {
    const required = Object.fromEntries(Object.entries(newPet).filter(([name]) => !OPTIONAL.includes(name)));
    const created = await service.post('/v1/pets', required);
    expect(created.status).toBe(201);
    expect(await created.json()).toEqual({ ...required, id: expect.any(Number) });
  });

  it('lists pets', async () => {
    const id = await addSample(service, '/pets');
    expect(await read('/v1/pets')).toContainEqual(expect.objectContaining({ id }));
  });

  it.each(['status'])('lists those of one %s only', async (name) => {
    const id = await addSample(service, '/pets');
    const all = (await read('/v1/pets?limit=100')) as Record<string, unknown>[];
    const value = String(all.find((one) => one.id === id)?.[name]);
    const some = await read(`/v1/pets?limit=100&${name}=${value}`);
    expect(some).toEqual(all.filter((one) => String(one[name]) === value));
  });

  it('responds with 404 for an identifier no pet has', async () => {
    const path = '/v1/pets/999999';
    const missing = [await service.fetch(path)];
    const error = { code: 'pet_not_found', message: 'No pet has this petId.', status: 404 };
    for (const response of missing) expect(await response.json()).toEqual(error);
  });

  it('refuses a key without the scope', async () => {
    const authorization = `Bearer ${await service.keyWith('admin:read')}`;
    const refused = await service.fetch('/v1/pets', { headers: { authorization } });
    expect(refused.status).toBe(403);
  });
});
