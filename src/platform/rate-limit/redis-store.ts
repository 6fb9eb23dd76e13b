import type { Logger } from '../logging/logging.module';
import type { Metrics } from '../telemetry/metrics';

/** Longest time a request waits for Redis, in milliseconds. */
const COMMAND_TIMEOUT_MS = 250;
/** Longest time the start waits for Redis, in milliseconds. */
const START_TIMEOUT_MS = 1_000;
/** Milliseconds between two checks of a connected Redis. */
const LOOK_INTERVAL_MS = 1_000;
/** Milliseconds without a byte after which a connection is given up; each check exchanges some. */
const SILENCE_MS = 3_000;
const CONNECT_TIMEOUT_MS = 2_000;
const LONGEST_RETRY_MS = 2_000;

const PROBE = 'petstore:rate-limit-probe';
const BUCKET_SECRET = 'petstore:rate-limit-secret';

/** Consequence of a Redis that counts nothing. */
export const EACH_BY_ITSELF = 'rate limits hold for each node by itself.';
export const REDIS_LOST = `Redis cannot be reached: ${EACH_BY_ITSELF}`;

type Client = Awaited<ReturnType<typeof createRedisClient>>;

/**
 * The Redis that all nodes count in, with the members that rate-limiter-flexible's RateLimiterRedis uses: `isReady` and `eval`.
 * It is lost as soon as it fails or is late once, and nothing waits for it any more; it is back when it has taken a write.
 */
export class RedisStore {
  private client: Client | undefined;
  private state: 'unknown' | 'up' | 'lost' = 'unknown';

  /**
   * @param url in the form of REDIS_URL
   * @param secret for buckets of addresses on this node, until Redis returns that of all nodes
   */
  constructor(
    private readonly url: string,
    private readonly metrics: Metrics,
    private readonly logger: Logger,
    private secret: string,
  ) {
    metrics.registry.registerMetric(metrics.rateLimitStoreUp);
  }

  /** Secret for buckets of addresses on all nodes. While Redis is lost, the last one it returned stays in use. */
  get bucketSecret(): string {
    return this.secret;
  }

  get isReady(): boolean {
    return this.state === 'up' && this.client?.isReady === true;
  }

  /**
   * Runs a script.
   *
   * @throws Error when Redis is gone, refuses or is late
   */
  async eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown> {
    try {
      return await inTime((this.client as Client).eval(script, options));
    } catch (error) {
      this.lose(error);
      throw error;
    }
  }

  /** Connects, now and whenever the connection is lost. Waits until that has worked or failed once, for a second at most. */
  async open(): Promise<void> {
    const client = await createRedisClient(this.url);
    this.client = client;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, START_TIMEOUT_MS);
      const settle = () => {
        clearTimeout(timer);
        resolve();
      };
      const check = () => void this.look(client).finally(settle);
      client.on('ready', check).on('ping-interval', check);
      client.on('error', (error: unknown) => {
        this.lose(error);
        settle();
      });
      // The promise rejects only after the client has been told to end; earlier failures are events.
      client.connect().catch(settle);
    });
  }

  close(): void {
    // An end of the connection from here on is no loss.
    this.state = 'lost';
    this.client?.destroy();
  }

  /** Checks that Redis counts: a replica, or one that is full or forbids writes, replies to pings as well. */
  private async look(client: Client): Promise<void> {
    try {
      await this.shareSecret(client);
      if (this.state === 'up') return;
      await inTime(client.set(PROBE, '1', { expiration: { type: 'EX', value: 60 } }));
    } catch (error) {
      return this.lose(error);
    }
    if (this.state === 'lost') this.logger.info('Redis is back: rate limits hold for all nodes again.');
    this.state = 'up';
    this.metrics.rateLimitStoreUp.set(1);
  }

  /**
   * Takes over the secret of the first node. If Redis has lost it with its data, the node that checks first puts its own back.
   */
  private async shareSecret(client: Client): Promise<void> {
    let shared = await inTime(client.get(BUCKET_SECRET));
    if (shared === null) {
      await inTime(client.set(BUCKET_SECRET, this.secret, { condition: 'NX' }));
      shared = await inTime(client.get(BUCKET_SECRET));
    }
    if (shared !== null) this.secret = shared;
  }

  private lose(error: unknown): void {
    if (this.state === 'lost') return;
    this.state = 'lost';
    this.metrics.rateLimitStoreUp.set(0);
    this.logger.warn({ err: error }, REDIS_LOST);
  }
}

/** Creates a client. Loads the library here, so that a service without Redis does not pay for it. */
async function createRedisClient(url: string) {
  const { createClient } = await import('@redis/client');
  return createClient({
    url,
    RESP: 2,
    disableOfflineQueue: true,
    pingInterval: LOOK_INTERVAL_MS,
    socket: {
      connectTimeout: CONNECT_TIMEOUT_MS,
      socketTimeout: SILENCE_MS,
      // Random, so that the nodes that lost the same Redis do not all come back in the same moment.
      reconnectStrategy: (retries) =>
        Math.min(50 * 2 ** Math.min(retries, 10), LONGEST_RETRY_MS) * (0.5 + Math.random() / 2),
    },
  });
}

/** Waits for a reply, and fails when it is late; the library bounds only the time before a command is sent. */
function inTime<T>(command: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      // If this process was busy itself, the reply is there and waits to be read.
      setImmediate(() => reject(new Error(`Redis did not reply within ${COMMAND_TIMEOUT_MS} ms.`)));
    }, COMMAND_TIMEOUT_MS);
    command.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
