import { AsyncLocalStorage } from 'node:async_hooks';
import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { endTogether, hasEnded } from './end-together';

const responses = (count: number) =>
  Array.from({ length: count }, () => {
    const response = new ServerResponse(new IncomingMessage(new Socket()));
    return response.writeHead(200, { 'Content-Length': 1 });
  });
const written = (all: ServerResponse[]) => all.filter(({ writableEnded }) => writableEnded).length;

describe('endTogether', () => {
  it('ends the responses of one turn at its end, and says of each that it has ended', async () => {
    const all = responses(3);
    for (const response of all) endTogether(response, 'a');
    expect(all.map(hasEnded)).toEqual([true, true, true]);
    expect(written(all)).toBe(0);
    await turn();
    expect(written(all)).toBe(3);
  });

  it('has no response wait for more than 31 others', async () => {
    const all = responses(33);
    for (const response of all) endTogether(response, 'a');
    expect(written(all)).toBe(32);
    await turn();
    expect(written(all)).toBe(33);
  });

  it('ends each response in the context of its request', async () => {
    const context = new AsyncLocalStorage<number>();
    const seen: (number | undefined)[] = [];
    responses(2).forEach((response, index) => {
      jest.spyOn(response, 'end').mockImplementation(() => {
        seen.push(context.getStore());
        return response;
      });
      context.run(index, () => endTogether(response, 'a'));
    });
    await turn();
    expect(seen).toEqual([0, 1]);
  });

  it('leaves a response alone whose client has left', async () => {
    const [response] = responses(1) as [ServerResponse];
    endTogether(response, 'a');
    response.destroy();
    await turn();
    expect(response.writableFinished).toBe(false);
  });
});
