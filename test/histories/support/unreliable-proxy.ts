import { once } from 'node:events';
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import type { Random } from './random';

/** Probability of each fault of a request. */
const CUT_BEFORE = 0.01;
const CUT_MEANWHILE = 0.02;
const CUT_AFTER = 0.02;
const DELAYED = 0.05;
const REPEATED = 0.03;

const LONGEST_DELAY_MS = 500;

interface Received {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}

/**
 * A proxy that loses requests and responses, holds them up, and sends some to two nodes at once: those that are safe to repeat.
 */
export class UnreliableProxy {
  /** How often it did what no proxy should. */
  readonly counts = new Map<string, number>();
  private readonly agent = new Agent({ keepAlive: true });
  private readonly server: Server;

  /** @param targets ports at the loopback address that requests are sent on to */
  constructor(
    private readonly random: Random,
    private readonly targets: readonly number[],
  ) {
    this.server = createServer((incoming, outgoing) => {
      this.forward(incoming, outgoing).catch(() => incoming.destroy());
    });
  }

  async listen(): Promise<void> {
    await once(this.server.listen(0, '127.0.0.1'), 'listening');
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  close(): void {
    this.server.close().closeAllConnections();
    this.agent.destroy();
  }

  private async forward(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const { random } = this;
    const [before, meanwhile, after] = [CUT_BEFORE, CUT_MEANWHILE, CUT_AFTER].map((each) =>
      random.happens(each),
    );
    const [delay, delayBack] = [this.delay(), this.delay()];
    const [target, other] = [random.pick(this.targets), random.pick(this.targets)];
    const isRepeated = random.happens(REPEATED);
    const body = await buffer(incoming);
    if (delay > 0) this.count('request held up');
    await pause(delay);
    if (before) return this.cut(incoming, 'request lost');
    const isSafe = incoming.method === 'GET' || incoming.headers['idempotency-key'] !== undefined;
    const sent = this.send(target, incoming, body);
    const repetition =
      isRepeated && isSafe ? this.send(other, incoming, body).catch(() => undefined) : undefined;
    if (repetition) this.count('request repeated');
    if (meanwhile) this.cut(incoming, 'connection cut meanwhile');
    const received = await sent;
    const { status, headers, body: content } = (await repetition) ?? received;
    await pause(delayBack);
    if (after) return this.cut(incoming, 'response lost');
    outgoing.writeHead(status, headers).end(content);
  }

  private cut(incoming: IncomingMessage, name: string): void {
    this.count(name);
    incoming.destroy();
  }

  private count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  private delay(): number {
    return this.random.happens(DELAYED) ? this.random.below(LONGEST_DELAY_MS) : 0;
  }

  private send(port: number, { method, url, headers }: IncomingMessage, body: Buffer): Promise<Received> {
    const { promise, resolve, reject } = Promise.withResolvers<Received>();
    const sent = request({
      host: '127.0.0.1',
      port,
      agent: this.agent,
      ...(method && { method }),
      ...(url && { path: url }),
      headers,
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      buffer(response).then(
        (content) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: content }),
        reject,
      );
    });
    sent.end(body);
    return promise;
  }
}
