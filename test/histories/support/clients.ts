import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { readExactly } from '../../support/samples/pet-writers';
import type { Recorder, Shown } from './history';
import type { Random } from './random';

/** Longest wait of a client for a response, in milliseconds; what it asked for may still happen. */
const PATIENCE_MS = 10_000;

/** Pause after a request that got no 2xx, in milliseconds: at first, and at most when no other gets one meanwhile. */
const FIRST_PAUSE_MS = 20;
const LONGEST_PAUSE_MS = 640;

/** Pets that changes and gets choose from: few, so that clients meet at them. */
const CURRENT = 30;

const PAGE_SIZES = [1, 2, 5, 10] as const;
const LARGEST_PAGE = 100;

/** Number of the client that reads all pets at the end. */
const READER = -1;

/** Statuses that clients may get. */
const EXPECTED = new Set([200, 201, 404, 409, 429, 503]);

interface Received {
  readonly status: number;
  readonly link: string;
  readonly body: string;
}

/** A write whose outcome is unknown, which is repeated. */
interface Write {
  readonly key: string;
  readonly value: string;
  /** The pet that is changed; undefined for a creation. */
  readonly id?: string;
}

/** Position in the list of all pets. */
interface Position {
  readonly path: string;
  readonly after: string;
  /** True if there was no page after the one that was read. */
  readonly isLast?: true;
}

const FIRST_PAGE: Position = { path: '/v1/pets?limit=10', after: '0' };

/** Clients that share what they know of the service, and draw what they do from a seed. */
export class Clients {
  /** Statuses that no client should get, in words. */
  readonly unexpected: string[] = [];
  readonly byStatus = new Map<number, number>();
  /** Ids of the pets added last. */
  private readonly current: string[] = [];
  /** Furthest position that clients have reached together: one alone reads less than all add, and never sees what is new. */
  private furthest = FIRST_PAGE;
  private readonly agent = new Agent({ keepAlive: true });
  private pauseMs = FIRST_PAUSE_MS;
  private isStopped = false;

  /**
   * @param ports of the service's nodes, or of proxies before them, at the loopback address
   * @param key API key that reads and writes pets
   */
  constructor(
    private readonly recorder: Recorder,
    private readonly random: Random,
    private readonly ports: readonly number[],
    private readonly key: string,
  ) {}

  /** Runs so many clients until {@link stop} is called. */
  async run(count: number): Promise<void> {
    await Promise.all(
      Array.from({ length: count }, (_, client) => this.client(client, this.random.fork(client))),
    );
    this.agent.destroy();
  }

  stop(): void {
    this.isStopped = true;
  }

  /** Reads all pets by each port, when no client changes them any more. */
  async readAll(): Promise<void> {
    for (const port of new Set(this.ports)) {
      for (let position = FIRST_PAGE; !position.isLast;) {
        position = await this.page(READER, port, position, LARGEST_PAGE);
      }
    }
    this.agent.destroy();
  }

  private async client(client: number, random: Random): Promise<void> {
    const open: Write[] = [];
    let position = FIRST_PAGE;
    for (let count = 0; !this.isStopped; count++) {
      const port = random.pick(this.ports);
      const choice = random.next();
      const value = `${client}.${count}`;
      const id = this.current[random.below(this.current.length)];
      if (choice < 0.25) {
        const write = random.happens(0.5) ? open.shift() : undefined;
        await this.write(client, port, open, write ?? { key: value, value });
      } else if (id === undefined) {
        await pause(FIRST_PAUSE_MS);
      } else if (choice < 0.45) await this.write(client, port, open, { key: value, value, id });
      else if (choice < 0.7) await this.get(client, port, id);
      else {
        // Cursors are passed to any node, with any limit.
        const limit = random.pick(PAGE_SIZES);
        if (random.happens(0.5)) this.reach(await this.page(client, port, this.furthest, limit));
        else {
          position = random.happens(0.001) ? FIRST_PAGE : position;
          position = await this.page(client, port, position, limit);
        }
      }
    }
  }

  private async write(client: number, port: number, open: Write[], write: Write): Promise<void> {
    const { key, value, id } = write;
    const start = performance.now();
    const path = id === undefined ? '/v1/pets' : `/v1/registers/${id}`;
    const body = JSON.stringify(id === undefined ? { name: value, categoryId: 1 } : { name: value });
    const received = await this.send(id === undefined ? 'POST' : 'PATCH', port, path, body, key);
    const isDone = received !== undefined && received.status < 300;
    if (!isDone) open.push(write);
    const end = performance.now();
    if (id !== undefined && received?.status === 404) {
      this.recorder.add({ type: 'get', client, id, value: undefined, start, end });
    }
    // A refusal tells nothing: a proxy may have sent the request twice.
    const ended = isDone ? { end } : {};
    if (id !== undefined) this.recorder.add({ type: 'change', client, id, value, start, ...ended });
    else {
      const shown = isDone ? shownBy(readExactly(received.body)) : undefined;
      this.recorder.add({ type: 'create', client, key, value, start, ...ended, ...(shown && { shown }) });
      if (shown) this.know(shown[0]);
    }
    if (!isDone) await pause(this.pauseMs);
  }

  private async get(client: number, port: number, id: string): Promise<void> {
    const start = performance.now();
    const received = await this.send('GET', port, `/v1/pets/${id}`);
    const end = performance.now();
    if (received?.status === 404)
      this.recorder.add({ type: 'get', client, id, value: undefined, start, end });
    if (received?.status !== 200) return pause(this.pauseMs);
    const [, value] = shownBy(readExactly(received.body));
    this.recorder.add({ type: 'get', client, id, value, start, end });
  }

  /** @returns the position of the page after it; the same one while there is none, or when the page was not served */
  private async page(client: number, port: number, position: Position, limit: number): Promise<Position> {
    const { path, after } = position;
    const start = performance.now();
    const received = await this.send('GET', port, path.replace(/limit=\d+/, `limit=${limit}`));
    const end = performance.now();
    if (received?.status !== 200) {
      await pause(this.pauseMs);
      return position;
    }
    const shown = (readExactly(received.body) as object[]).map(shownBy);
    const next = /<[^>]*(\/v1\/pets[^>]*)>; rel="next"/.exec(received.link)?.[1];
    this.recorder.add({ type: 'page', client, after, shown, hasNext: next !== undefined, start, end });
    return next === undefined
      ? { ...position, isLast: true }
      : { path: next, after: shown.at(-1)?.[0] ?? after };
  }

  private reach(position: Position): void {
    if (BigInt(position.after) > BigInt(this.furthest.after)) this.furthest = position;
  }

  private know(id: string): void {
    this.current.push(id);
    if (this.current.length > CURRENT) this.current.shift();
  }

  /** @returns undefined when there was no response */
  private async send(
    method: string,
    port: number,
    path: string,
    body?: string,
    key?: string,
  ): Promise<Received | undefined> {
    const { promise, resolve } = Promise.withResolvers<Received | undefined>();
    const sent = request({
      host: '127.0.0.1',
      port,
      method,
      path,
      agent: this.agent,
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        authorization: `Bearer ${this.key}`,
        ...(body !== undefined && {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
        }),
        ...(key !== undefined && { 'idempotency-key': key }),
      },
    });
    sent.once('error', () => resolve(undefined));
    sent.once('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
      response.once('error', () => resolve(undefined));
      const { statusCode = 0, headers } = response;
      response.once('end', () => resolve({ status: statusCode, link: [headers.link].join(), body: text }));
    });
    sent.end(body);
    const received = await promise;
    const status = received?.status ?? 0;
    const isDone = status >= 200 && status < 300;
    this.pauseMs = isDone ? FIRST_PAUSE_MS : Math.min(2 * this.pauseMs, LONGEST_PAUSE_MS);
    this.byStatus.set(status, (this.byStatus.get(status) ?? 0) + 1);
    if (received && !EXPECTED.has(status)) {
      this.unexpected.push(`${method} ${path} got ${status} ${received.body}`);
    }
    return received;
  }
}

function shownBy(pet: unknown): Shown {
  const { id, name } = pet as { id: string; name: string };
  return [id, name];
}
