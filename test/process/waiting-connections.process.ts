import { once } from 'node:events';
import { connect } from 'node:net';
import { createTestDatabase, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { until } from '../support/until';

/** More than Node would have wait, and less than Linux does. */
const CONNECTIONS = 1_500;

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase('sqlite');
});
afterAll(async () => {
  await endServiceProcesses();
  await database.drop();
});

it('The service serves each of 1,500 connections that arrive while it is busy', async () => {
  const service = await ServiceProcess.start({ DATABASE_URL: database.url }, { cwd: makeFolder() });
  service.signal('SIGSTOP');
  const sockets = Array.from({ length: CONNECTIONS }, () =>
    connect({ port: service.port, host: '127.0.0.1' }),
  );
  let connected = 0;
  sockets.forEach((socket) => socket.once('connect', () => connected++).on('error', () => undefined));
  try {
    await until(() => connected === CONNECTIONS);
    service.signal('SIGCONT');
    const responses = sockets.map(async (socket) => {
      socket.write('GET /health/live HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n');
      const [bytes] = (await once(socket, 'data')) as [Buffer];
      return bytes.toString('latin1', 0, 'HTTP/1.1 200'.length);
    });
    expect(new Set(await Promise.all(responses))).toEqual(new Set(['HTTP/1.1 200']));
  } finally {
    service.signal('SIGCONT');
    sockets.forEach((socket) => socket.destroy());
  }
});
