import { REQUEST_MESSAGE } from '../../src/platform/logging/request-line';
import { describeEachEngine } from '../support/databases/databases';
import { until } from '../support/until';
import { useService } from './support/service';

interface Line {
  readonly msg: string;
  readonly requestId?: string;
  readonly createdId?: string;
}

describeEachEngine('The log line of a request', (engine) => {
  const service = useService(engine);

  /** The line of a request, which is written a moment after the response. */
  async function lineOf(requestId: string): Promise<Line> {
    let found: Line | undefined;
    await until(() => {
      const lines = service().log().trim().split('\n');
      // Warnings on its way, of a slow statement, have its id, too.
      found = lines
        .map((line) => JSON.parse(line) as Line)
        .find((line) => line.msg === REQUEST_MESSAGE && line.requestId === requestId);
      return found !== undefined;
    });
    return found as Line;
  }

  it('has the id of the record that the request created, if any', async () => {
    const headers = (requestId: string) => ({ 'x-request-id': requestId, 'idempotency-key': 'created-ids' });
    const made = await service().post('/v1/pets', { name: 'Rex', categoryId: 3 }, headers('made'));
    const { id } = (await made.json()) as { id: number };
    const again = await service().post('/v1/pets', { name: 'Rex', categoryId: 3 }, headers('again'));
    expect(again.headers.get('idempotency-replayed')).toBe('true');
    await service().post('/v1/pets', { name: '' }, { 'x-request-id': 'refused' });
    await service().fetch('/v1/pets', { headers: { 'x-request-id': 'listed' } });

    expect((await lineOf('made')).createdId).toBe(String(id));
    for (const other of ['again', 'refused', 'listed']) {
      expect(await lineOf(other)).not.toHaveProperty('createdId');
    }
  });
});
