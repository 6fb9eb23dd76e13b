import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/** Below the ranges that systems give out themselves, so no other process takes the port while its server is down. */
const PORT_RANGE = [20_000, 30_000] as const;

/** A TCP port that nothing listens on at a loopback address. */
export async function freePort(host: string): Promise<number> {
  for (;;) {
    const port = randomInt(...PORT_RANGE);
    const probe = createServer();
    try {
      await once(probe.listen(port, host), 'listening');
      return port;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') {
        throw error;
      }
    } finally {
      probe.close();
    }
  }
}
