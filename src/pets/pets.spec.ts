import { describeEachEngine } from '../../test/support/databases';
import { startTestService, type TestService } from '../../test/support/service';

describeEachEngine('pets', (engine) => {
  let service: TestService;

  beforeAll(async () => {
    service = await startTestService(engine);
  });
  afterAll(() => service.stop());

  it('lists what was added, with exact int64 and without a status that was not set', async () => {
    const body = '{"name":"Rex","categoryId":9223372036854775807}';
    const created = await service.fetch('/v1/pets', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe('/v1/pets/1');
    expect(await created.text()).toBe('{"id":1,"name":"Rex","categoryId":9223372036854775807}');

    const list = await service.fetch('/v1/pets');
    expect(await list.text()).toBe('[{"id":1,"name":"Rex","categoryId":9223372036854775807}]');
  });

  it('fetches a pet by its identifier', async () => {
    const { id } = (await (
      await service.post('/v1/pets', { name: 'Mia', categoryId: 2, status: 'sold' })
    ).json()) as { id: number };
    const fetched = await service.fetch(`/v1/pets/${id}`);
    expect(await fetched.json()).toEqual({ id, name: 'Mia', categoryId: 2, status: 'sold' });
  });

  it('answers 404 for an identifier no pet has', async () => {
    const missing = await service.fetch('/v1/pets/99999');
    expect(missing.status).toBe(404);
    expect(await missing.json()).toEqual({
      code: 'pet_not_found',
      message: 'No pet has this petId.',
      status: 404,
    });
  });
});
