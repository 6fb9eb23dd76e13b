import { describeOneEngine } from '../support/databases/databases';
import { exchange } from '../support/http/raw-http';
import { wireBytes } from './support/request';
import { useService } from './support/service';

describeOneEngine('Pipelined requests of one connection', (engine) => {
  const service = useService(engine);

  it('are carried out one after the other, so each sees the writes of the one before', async () => {
    const turns = 20;
    const bytes: Buffer[] = [];
    for (let i = 0; i < turns; i++) {
      const body = JSON.stringify({ name: `Pet ${i}`, categoryId: 1 });
      const headers = { 'Content-Type': 'application/json', 'Content-Length': String(body.length) };
      bytes.push(
        wireBytes({ method: 'POST', target: '/v1/pets', headers, body }, service().key),
        wireBytes({ target: `/v1/pets?limit=${turns + 1}` }, service().key),
      );
    }
    const responses = await exchange(service().port, Buffer.concat(bytes), { responses: 2 * turns });
    const lists = responses
      .filter(({ status }) => status === 200)
      .map(({ body }) => JSON.parse(body) as unknown[]);
    expect(responses.map(({ status }) => status)).toEqual(
      Array.from({ length: turns }, () => [201, 200]).flat(),
    );
    expect(lists.map(({ length }) => length)).toEqual(Array.from({ length: turns }, (_, i) => i + 1));
  });
});
