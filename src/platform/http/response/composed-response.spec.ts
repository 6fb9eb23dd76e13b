import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Request, Response } from 'express';
import { ComposedResponse } from './composed-response';

describe('A composed response', () => {
  let server: Server;
  afterEach(() => server.close());

  it('ends the connection when another has begun: its part is not taken for the whole', async () => {
    server = createServer((request, response) => {
      response.write('id\n');
      new ComposedResponse(500, {}, 'A page.').send(request as Request, response as Response);
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const text = fetch(`http://127.0.0.1:${port}`).then((response) => response.text());
    await expect(text).rejects.toHaveProperty('name', 'TypeError');
  });
});
