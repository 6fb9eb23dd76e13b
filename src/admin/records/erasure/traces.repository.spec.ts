import { LessThanOrEqual } from 'typeorm';
import { describeEachEngine } from '../../../../test/support/databases/databases';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import { Database } from '../../../platform/database/database';
import { ClientChange } from '../../../platform/request-log/client-change.entity';
import { TracesRepository } from './traces.repository';

const CHANGES = 1_100;

describeEachEngine('The rows that are held of a subject', (engine) => {
  let service: TestService;

  beforeAll(async () => (service = await startTestService(engine)));
  afterAll(() => service.stop());

  it('are yielded once each, though older ones are pruned between two pages', async () => {
    const changes = service.app.get(Database).dataSource.getRepository(ClientChange);
    const ids = Array.from({ length: CHANGES }, (_, index) => BigInt(index + 1));
    const change = { kind: 'pets', recordId: 1n, verb: 'update', operation: 'patchPet' } as const;
    await changes.insert(ids.map((id) => ({ ...change, id, requestId: `request-${id}` })));
    const pages = service.app
      .get(TracesRepository, { strict: false })
      .pages({ type: 'pets', id: '1' }, 'clientChanges');
    const seen = ((await pages.next()).value ?? []) as ClientChange[];
    await changes.delete({ id: LessThanOrEqual(100n) });
    for await (const page of pages) seen.push(...(page as ClientChange[]));
    expect(seen.map(({ id }) => id)).toEqual(ids);
  });
});
