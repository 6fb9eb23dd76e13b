import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { useService } from '../contract/support/service';
import { describeEachEngine } from '../support/databases/databases';
import { addToSchema } from '../support/databases/with-schema';
import { jsonClient } from './client';
import { createTables } from './create-tables';
import { Orchard, OrchardsModule, Tree } from './orchards.module';

describeEachEngine('A module with repositories of @nestjs/typeorm', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = addToSchema({ entities: [Orchard, Tree], migrations: [createTables(1790000300000, 'on_')] });
  });
  const service = useService(engine, {}, { OrchardsModule });
  afterAll(() => takeBack());
  const send = jsonClient(service);

  let made = 0;
  const create = async () =>
    (await send<{ id: number; name: string }>('POST', '/v1/orchards', { name: `orchard ${++made}` })).body;

  it('stores and finds with the repositories of forFeature()', async () => {
    const { id, name } = await create();
    expect((await send('GET', '/v1/orchards')).body).toContainEqual({ id, name, trees: [] });
  });

  it('responds to a duplicate with 409 that names the member', async () => {
    const { name } = await create();
    expect(await send('POST', '/v1/orchards', { name })).toMatchObject({
      status: 409,
      body: {
        code: 'duplicate_value',
        message: 'name must be unique: another record already has this value.',
      },
    });
  });

  it('takes part in a transaction with injected repositories and entity manager', async () => {
    const { id } = await create();
    expect((await send('POST', `/v1/orchards/${id}/trees`, { sorts: ['plum', 'pear'] })).body).toBe(2);
    expect((await send('POST', `/v1/orchards/${id}/trees`, { sorts: ['fig', 'fails'] })).status).toBe(409);
    const { body } = await send<{ id: number; trees: { sort: string }[] }[]>('GET', '/v1/orchards');
    expect(
      body
        .find((orchard) => orchard.id === id)
        ?.trees.map(({ sort }) => sort)
        .sort(),
    ).toEqual(['pear', 'plum']);
  });

  it('can inject the entity manager by its class', async () => {
    await create();
    expect((await send('GET', '/v1/orchards/count')).body).toBe(made);
  });
});

it('The package of the service does not depend on @nestjs/typeorm', () => {
  const project = JSON.parse(readFileSync(join(__dirname, '..', '..', 'package.json'), 'utf8')) as Record<
    'dependencies' | 'devDependencies',
    object
  >;
  expect(Object.keys(project.devDependencies)).toContain('@nestjs/typeorm');
  expect(Object.keys(project.dependencies)).not.toContain('@nestjs/typeorm');
});
