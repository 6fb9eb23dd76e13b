import { randomInt, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { createToken } from '../../src/platform/security/api-key-token';
import { createTestDatabase, describeEachEngine, type TestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { recordFigure } from '../support/samples/figures';
import { listNames } from '../support/samples/pet-writers';
import { SIZES } from './support/sizes';

const CLIENTS = 8;
const FEATURE = ['--require', join(__dirname, '..', 'support', 'fixtures', 'parcels-feature.cjs')];

const key = createToken();
const cwd = makeFolder();

describeEachEngine('A service that is killed while its handlers call another service', (engine) => {
  let database: TestDatabase;
  let carrier: Server;
  /** What the carrier was asked for, and does when it is asked. */
  const asked = new Set<string>();
  let onAsked = () => undefined as void;

  beforeEach(async () => {
    database = await createTestDatabase(engine);
    asked.clear();
    carrier = createServer((request, response) => {
      asked.add(String(request.headers['idempotency-key']));
      onAsked();
      setTimeout(() => response.end(), randomInt(1, 10));
    }).listen(0, '127.0.0.1');
    await once(carrier, 'listening');
  });
  afterEach(async () => {
    await endServiceProcesses();
    carrier.closeAllConnections();
    carrier.close();
    await database.drop();
  });

  const start = () =>
    ServiceProcess.start(
      {
        DATABASE_URL: database.url,
        MIGRATE_ON_START: 'true',
        BOOTSTRAP_API_KEY: key,
        DATABASE_STATEMENT_TIMEOUT_MS: '25000',
        CARRIER: `http://127.0.0.1:${(carrier.address() as AddressInfo).port}`,
      },
      { cwd, nodeOptions: FEATURE },
    );

  it.each(['ahead of', 'within'])(
    `loses no acknowledged work and does nothing twice, with the call %s its work`,
    async (way) => {
      let service = await start();
      const acknowledged = new Set<string>();
      let withoutResponse = 0;
      const over = new AbortController();

      /** Sends one request until it is acknowledged. */
      async function send(name: string): Promise<void> {
        for (;;) {
          const headers = { 'Idempotency-Key': name };
          const response = await service
            .fetch(`/v1/parcels/${way.split(' ')[0]}`, key, { method: 'POST', headers })
            .catch(() => undefined);
          const body = await response?.text().catch(() => undefined);
          if (response?.status === 201 && body !== undefined) {
            expect(body).toContain(name);
            acknowledged.add(name);
            return;
          }
          // 409: what the killed service had under way was still being undone when it was asked for again.
          if (body !== undefined) expect([response?.status, body]).toEqual([409, expect.anything()]);
          else withoutResponse++;
          await pause(20);
        }
      }
      const clients = Array.from({ length: CLIENTS }, async () => {
        while (!over.signal.aborted) await send(randomUUID());
      });

      for (let kill = 0; kill < SIZES.carrierKills; kill++) {
        const { promise, resolve } = Promise.withResolvers<void>();
        let left = randomInt(1, 60);
        onAsked = () => {
          if (--left !== 0) return;
          // While the carrier works, or once it has answered and the work goes on.
          setTimeout(
            () => {
              service.signal('SIGKILL');
              resolve();
            },
            randomInt(0, 15),
          );
        };
        await promise;
        onAsked = () => undefined;
        await service.ended;
        service = await start();
      }
      over.abort();
      await Promise.all(clients);

      const names = await listNames(service, key);
      expect(names.toSorted()).toEqual([...acknowledged].sort());
      expect([...acknowledged].filter((name) => !asked.has(name))).toEqual([]);
      const fault = `service killed while it asks another ${way} its work on ${engine}`;
      recordFigure(fault, 'requests acknowledged', acknowledged.size);
      recordFigure(fault, 'requests that got no response', withoutResponse);
    },
    300_000 + SIZES.carrierKills * 20_000,
  );
});
