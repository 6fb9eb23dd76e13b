import { randomBytes, randomInt } from 'node:crypto';
import type { ServiceProcess } from './service-process';

/** A pet with every integer as its digits: a double would hide a rounded one. */
export type ExactPet = Readonly<Record<string, string>>;

const STATUSES = ['available', 'pending', 'sold', undefined] as const;

/** Clients that add pets one after the other, each as fast as it is answered, and remember what was acknowledged. */
export class PetWriters {
  /** By id, what was sent in the requests that were answered 201. */
  readonly acknowledged = new Map<string, ExactPet>();
  /** How many requests got each other status. */
  readonly refused = new Map<number, number>();
  /** Called at each acknowledgement, before anything else can happen. */
  onAcknowledged: () => void = () => undefined;
  private stopped = false;
  private count = 0;

  constructor(private readonly key: string) {}

  /**
   * Runs so many clients until {@link stop} is called or the service cannot be reached.
   */
  async run(service: ServiceProcess, clients: number): Promise<void> {
    this.stopped = false;
    await Promise.all(Array.from({ length: clients }, () => this.write(service)));
  }

  /** Lets each client end with the request it has under way. */
  stop(): void {
    this.stopped = true;
  }

  private async write(service: ServiceProcess): Promise<void> {
    while (!this.stopped) {
      const pet = this.newPet();
      const received = await add(service, this.key, pet);
      if (received === undefined) return;
      if (received.status === 201) {
        this.acknowledged.set(readExactPet(received.body).id as string, pet);
        this.onAcknowledged();
      } else {
        this.refused.set(received.status, (this.refused.get(received.status) ?? 0) + 1);
      }
    }
  }

  private newPet(): ExactPet {
    const name = `Käthe "${this.count++}" ${randomBytes(randomInt(1, 200)).toString('base64')} 🐈`;
    const categoryId = String(randomBytes(8).readBigInt64BE());
    const status = STATUSES[randomInt(STATUSES.length)];
    return { name, categoryId, ...(status && { status }) };
  }
}

/** What the service says the pet of an id is; the answer as text when it says something else. */
export async function fetchExactPet(
  service: ServiceProcess,
  key: string,
  id: string,
): Promise<ExactPet | string> {
  const response = await service.fetch(`/v1/pets/${id}`, key);
  const body = await response.text();
  return response.status === 200 ? readExactPet(body) : body;
}

/** The answer, whole; undefined when the connection was refused or broke off. */
async function add(
  service: ServiceProcess,
  key: string,
  { categoryId, ...texts }: ExactPet,
): Promise<{ status: number; body: string } | undefined> {
  const json = `${JSON.stringify(texts).slice(0, -1)},"categoryId":${categoryId}}`;
  try {
    const response = await service.post('/v1/pets', key, json);
    return { status: response.status, body: await response.text() };
  } catch {
    return undefined;
  }
}

/** ECMAScript's "JSON.parse source text access", which TypeScript's library does not know yet. */
const parseWithSource = JSON.parse as (
  text: string,
  reviver: (name: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown;

function readExactPet(json: string): ExactPet {
  return parseWithSource(json, (_name, value, { source }) =>
    typeof value === 'number' ? source : value,
  ) as ExactPet;
}
