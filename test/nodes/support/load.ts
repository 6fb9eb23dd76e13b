import { Agent, request } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

/** How long a client waits for a response before it counts the request as failed, in milliseconds. */
const PATIENCE_MS = 30_000;

/** How long a client thinks between two requests, in milliseconds: the load is to be steady, not all the machine has. */
const THINKING_MS = 100;

/** How the clients of a load are otherwise than usual. */
interface Habits {
  /** How long a client thinks between two requests, in milliseconds. */
  readonly thinkingMs?: number;
  /** How many clients, from the first on, send no Idempotency-Key. */
  readonly withoutKey?: number;
}

interface ReadResponse {
  readonly status: number;
  readonly body: string;
}

/**
 * Clients that add pets, read them back and list, one request after the other, and count what fails: no response, one that
 * is cut off, or another status than the one that is due. Half of them keep their connections, the others make a new one
 * for each request.
 */
export class Load {
  /** The names of the pets whose creation was acknowledged. */
  readonly acknowledged = new Set<string>();
  /** What failed, with how often it did. */
  readonly failures = new Map<string, number>();
  private readonly durations: number[] = [];
  private readonly agents = [new Agent({ keepAlive: true }), new Agent({ keepAlive: false })];
  private running: Promise<unknown> = Promise.resolve();
  private isStopped = false;

  constructor(
    private readonly port: number,
    private readonly key: string,
    private readonly habits: Habits = {},
  ) {}

  /** How many requests have been answered or have failed so far. */
  get requests(): number {
    return this.durations.length;
  }

  get failed(): number {
    return [...this.failures.values()].reduce((sum, count) => sum + count, 0);
  }

  /** The longest any of them took, in milliseconds. */
  get slowestMs(): number {
    return Math.max(0, ...this.durations);
  }

  start(clients: number): void {
    this.running = Promise.all(Array.from({ length: clients }, (_, index) => this.client(index)));
  }

  /** Lets each client end with the request it has under way. */
  async stop(): Promise<void> {
    this.isStopped = true;
    await this.running;
    for (const agent of this.agents) agent.destroy();
  }

  /** For people. */
  summary(): string {
    const sorted = this.durations.toSorted((a, b) => a - b);
    const quantile = (share: number) => (sorted[Math.floor(share * (sorted.length - 1))] ?? 0).toFixed(1);
    const failures = [...this.failures].map(([name, count]) => `${count} times ${name}`).join(', ');
    return (
      `${this.requests} requests, ${this.acknowledged.size} pets added, ${this.failed} failed` +
      `${failures && ` (${failures})`}; median ${quantile(0.5)} ms, 99 % within ${quantile(0.99)} ms, ` +
      `slowest ${quantile(1)} ms`
    );
  }

  private async client(index: number): Promise<void> {
    const agent = this.agents[index % 2] as Agent;
    const { thinkingMs = THINKING_MS, withoutKey = 0 } = this.habits;
    const isOnce = index >= withoutKey;
    for (let count = 0; !this.isStopped; count++) {
      const name = `client ${index} pet ${count}`;
      const created = await this.send(
        agent,
        'POST',
        '/v1/pets',
        201,
        JSON.stringify({ name, categoryId: 1 }),
        isOnce ? name : undefined,
      );
      if (created) {
        this.acknowledged.add(name);
        const { id } = JSON.parse(created.body) as { id: number };
        const read = await this.send(agent, 'GET', `/v1/pets/${id}`, 200);
        if (read && !read.body.includes(`"${name}"`)) this.fail('another pet than the one added');
      }
      await this.send(agent, 'GET', '/v1/pets?limit=20', 200);
      await pause(thinkingMs);
    }
  }

  /** @returns the response, if it has the status that is due */
  private async send(
    agent: Agent,
    method: string,
    path: string,
    due: number,
    body?: string,
    idempotencyKey?: string,
  ): Promise<ReadResponse | undefined> {
    const began = performance.now();
    const kind = body && idempotencyKey === undefined ? `${method} without a key` : method;
    try {
      let response = await this.exchange(agent, method, path, body, idempotencyKey);
      // What a killed node had under way is still being undone.
      while (response.status === 409) {
        await pause(THINKING_MS);
        response = await this.exchange(agent, method, path, body, idempotencyKey);
      }
      if (response.status === due) return response;
      this.fail(`${kind} responded with ${response.status}`);
    } catch (error) {
      this.fail(`${kind} without a response: ${(error as NodeJS.ErrnoException).code ?? String(error)}`);
    } finally {
      this.durations.push(performance.now() - began);
    }
    return undefined;
  }

  private exchange(
    agent: Agent,
    method: string,
    path: string,
    body: string | undefined,
    idempotencyKey: string | undefined,
  ): Promise<ReadResponse> {
    return new Promise((resolve, reject) => {
      const sent = request({
        host: '127.0.0.1',
        port: this.port,
        agent,
        method,
        path,
        signal: AbortSignal.timeout(PATIENCE_MS),
        headers: {
          authorization: `Bearer ${this.key}`,
          ...(body && {
            'content-type': 'application/json',
            'content-length': Buffer.byteLength(body),
          }),
          ...(idempotencyKey && { 'idempotency-key': idempotencyKey.replaceAll(' ', '-') }),
        },
      });
      sent.once('error', reject);
      sent.once('response', (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
        response.once('error', reject);
        response.once('end', () => resolve({ status: response.statusCode ?? 0, body: text }));
      });
      sent.end(body);
    });
  }

  private fail(what: string): void {
    this.failures.set(what, (this.failures.get(what) ?? 0) + 1);
  }
}
