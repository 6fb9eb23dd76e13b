import { hash, randomBytes, randomInt } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type TimedResponse, timed } from '../http/timed-response';
import type { ServiceProcess } from '../processes/service-process';
import { until } from '../until';

/** A pet with every integer as its digits: a double would hide a rounded one. */
export type ExactPet = Readonly<Record<string, string>>;

const STATUSES = ['available', 'pending', 'sold', undefined] as const;

/** Clients that add pets one after the other, and remember what was acknowledged. */
export class PetWriters {
  /** By id, what was sent in the requests that got 201. */
  readonly acknowledged = new Map<string, ExactPet>();
  /** How many requests got each other status. */
  readonly refused = new Map<number, number>();
  /** Called at each acknowledgement, before anything else can happen. */
  onAcknowledged: (id: string) => void = () => undefined;
  /** Called with each response, and with the service that it came from. */
  onResponse: (response: TimedResponse, service: ServiceProcess) => void = () => undefined;
  /** How many requests got no response. */
  withoutResponse = 0;
  /** What was sent with an Idempotency-Key and is not acknowledged yet. */
  private readonly open: ExactPet[] = [];
  private stopped = false;
  private count = 0;

  /**
   * @param repeats whether every other client gives each pet an Idempotency-Key and repeats it, also after {@link run} has
   *   ended and begun again, until it is acknowledged
   * @param thinkingMs how long a client rests after each response, in milliseconds: the load is to be steady, not all the machine
   *   has, while the service refuses, too
   */
  constructor(
    private readonly key: string,
    private readonly repeats = false,
    private readonly thinkingMs = 10,
  ) {}

  /**
   * Runs so many clients until {@link stop} is called or the service cannot be reached.
   */
  async run(service: ServiceProcess, clients: number): Promise<void> {
    this.stopped = false;
    const each = (_: unknown, i: number) => this.write(service, this.repeats && i % 2 === 1);
    await Promise.all(Array.from({ length: clients }, each));
  }

  /** Lets each client end with the request it has under way. */
  stop(): void {
    this.stopped = true;
  }

  /** Adds one pet. @returns whether there was a response */
  writeOne(service: ServiceProcess): Promise<boolean> {
    return this.send(service, this.newPet(), false);
  }

  /**
   * Repeats what is to be repeated until all of it is acknowledged.
   *
   * @throws Error when the service cannot be reached, or goes on to refuse it: a test that has failed may have ended the
   *   service, or what it needs
   */
  async settle(service: ServiceProcess): Promise<void> {
    await until(async () => {
      const pet = this.open.pop();
      if (pet && !(await this.send(service, pet, true))) {
        throw new Error(`Pets are left that were not acknowledged: ${this.open.length}.`);
      }
      return this.open.length === 0;
    });
  }

  private async write(service: ServiceProcess, isRepeating: boolean): Promise<void> {
    while (!this.stopped) {
      const pet = (isRepeating ? this.open.pop() : undefined) ?? this.newPet();
      if (!(await this.send(service, pet, isRepeating))) return;
    }
  }

  /** @returns whether there was a response */
  private async send(service: ServiceProcess, pet: ExactPet, isRepeating: boolean): Promise<boolean> {
    const response = await add(service, this.key, pet, isRepeating);
    if (response) this.onResponse(response, service);
    if (response?.status === 201) {
      const id = readExactPet(response.body).id as string;
      this.acknowledged.set(id, pet);
      this.onAcknowledged(id);
      await pause(this.thinkingMs);
      return true;
    }
    if (isRepeating) this.open.push(pet);
    if (!response) {
      this.withoutResponse += 1;
      return false;
    }
    this.refused.set(response.status, (this.refused.get(response.status) ?? 0) + 1);
    await pause(this.thinkingMs);
    return true;
  }

  private newPet(): ExactPet {
    const name = `Käthe "${this.count++}" ${randomBytes(randomInt(1, 200)).toString('base64')} 🐈`;
    const categoryId = String(randomBytes(8).readBigInt64BE());
    const status = STATUSES[randomInt(STATUSES.length)];
    return { name, categoryId, ...(status && { status }) };
  }
}

/** The names of all pets the service lists, as often as there is a pet of that name. */
export async function listNames(service: ServiceProcess, key: string): Promise<string[]> {
  const names: string[] = [];
  let path: string | undefined = '/v1/pets?limit=100';
  while (path) {
    const page: Response = await service.fetch(path, key);
    names.push(...((await page.json()) as { name: string }[]).map(({ name }) => name));
    path = /<[^>]*(\/v1\/pets[^>]*)>; rel="next"/.exec(page.headers.get('link') ?? '')?.[1];
  }
  return names;
}

/** What the service says the pet of an id is; the response as text when it says something else. */
export async function fetchExactPet(
  service: ServiceProcess,
  key: string,
  id: string,
): Promise<ExactPet | string> {
  const response = await service.fetch(`/v1/pets/${id}`, key);
  const body = await response.text();
  return response.status === 200 ? readExactPet(body) : body;
}

function add(
  service: ServiceProcess,
  key: string,
  { categoryId, ...texts }: ExactPet,
  isRepeating: boolean,
): Promise<TimedResponse | undefined> {
  const body = `${JSON.stringify(texts).slice(0, -1)},"categoryId":${categoryId}}`;
  const headers = {
    'content-type': 'application/json',
    ...(isRepeating && { 'idempotency-key': hash('sha256', body) }),
  };
  return timed(() => service.fetch('/v1/pets', key, { method: 'POST', headers, body }));
}

/** ECMAScript's "JSON.parse source text access", which TypeScript's library does not know yet. */
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

/** A pet of a body. */
export function readExactPet(json: string): ExactPet {
  return readExactly(json) as ExactPet;
}

/** What a body holds, with every integer as its digits. */
export function readExactly(json: string): unknown {
  return parseWithSource(json, (_name, value, { source }) => (typeof value === 'number' ? source : value));
}
