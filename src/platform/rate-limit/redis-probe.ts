/** How long Redis may take to connect, and then to reply, in milliseconds. */
const CONNECT_TIMEOUT_MS = 2_000;
const SILENCE_MS = 2_000;

const PROBE = 'petstore:doctor-probe';

/**
 * Whether a Redis takes the writes that counting needs: a replica, a full or a forbidden one replies to pings as well.
 *
 * @param url as REDIS_URL
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
  // Each is also what a promise below is rejected with.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.set(PROBE, '1', { expiration: { type: 'EX', value: 1 } });
    // A user that may count need not be one that may ask for this.
    const info = await client.info('server').catch(() => '');
    return /redis_version:(\S+)/.exec(info)?.[1] ?? 'of an unknown version';
  } finally {
    client.destroy();
  }
}
