/** Milliseconds that Redis has to connect, and then to reply. */
const CONNECT_TIMEOUT_MS = 2_000;
const SILENCE_MS = 2_000;

const PROBE = 'petstore:doctor-probe';

/**
 * Checks that a Redis takes the writes that counting needs: a replica, or one that is full or forbids them, replies to pings as
 * well.
 *
 * @param url in the form of REDIS_URL
 * @returns its version
 * @throws Error that says why not; without the password
 */
export async function probeRedis(url: string): Promise<string> {
  const { createClient } = await import('@redis/client');
  const client = createClient({
    url,
    RESP: 2,
    socket: { connectTimeout: CONNECT_TIMEOUT_MS, socketTimeout: SILENCE_MS, reconnectStrategy: false },
  });
  // Each of these errors also rejects a promise below.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.set(PROBE, '1', { expiration: { type: 'EX', value: 1 } });
    // A user that may count is not always allowed to ask for this.
    const info = await client.info('server').catch(() => '');
    return /redis_version:(\S+)/.exec(info)?.[1] ?? 'of an unknown version';
  } finally {
    client.destroy();
  }
}
