import { describeOneEngine } from '../../../../test/support/databases/databases';
import { heldOf } from '../../../../test/admin/support/held-of';
import { startTestService, type TestService } from '../../../../test/support/service/service';
import type { Actor } from '../../../platform/security/actor';
import { StoredRunsRepository } from '../../../platform/jobs/stored-runs.repository';
import { ErasureService } from './erasure.service';

describeOneEngine('The erasure of a person who began runs of jobs', (engine) => {
  let service: TestService;

  beforeAll(async () => (service = await startTestService(engine)));
  afterAll(() => service.stop());

  const runs = () => service.app.get(StoredRunsRepository, { strict: false });

  /** Adds a run of a job that no process knows: it waits. */
  const waiting = (actor: Actor) =>
    runs().add({ job: 'Unknown.run', arguments: '{}', actor: JSON.stringify(actor) });
  const actorOf = async (id: bigint) => JSON.parse((await runs().findOne(id))?.actor ?? '') as unknown;

  it('leaves the id alone in them, in whose name they go on', async () => {
    const ana = { personName: 'Ana Erasable', requestId: 'r1', address: '203.0.113.77' };
    const other = { ...ana, name: 'oidc:anaXb' };
    const [run, ofOther] = [await waiting({ ...ana, name: 'oidc:ana_b' }), await waiting(other)];
    const subject = { type: 'people', id: 'oidc:ana_b' };
    expect(await heldOf(service, subject)).toMatchObject({
      jobRuns: [{ id: Number(run), actor: expect.stringContaining('Ana Erasable') as string }],
    });
    await service.app.get(ErasureService, { strict: false }).erase(subject, 'letter');
    expect(await actorOf(run)).toEqual({ name: 'oidc:ana_b' });
    expect(await actorOf(ofOther)).toEqual(other);
    expect(await heldOf(service, subject)).toMatchObject({ jobRuns: [{ id: Number(run) }] });
    expect(await heldOf(service, { type: 'things', id: 'oidc:ana_b' })).toMatchObject({ jobRuns: [] });
  });
});
