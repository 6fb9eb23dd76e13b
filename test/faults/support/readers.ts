import { setTimeout as pause } from 'node:timers/promises';
import { type TimedResponse, timed } from '../../support/http/timed-response';
import type { ServiceProcess } from '../../support/processes/service-process';

/** Time between two requests of one reader, in milliseconds. */
const PAUSE_MS = 20;

/** Clients that list pets, one request after the other, until told to stop. */
export class PetReaders {
  /** Called with each response. */
  onResponse: (response: TimedResponse) => void = () => undefined;
  /** How many requests got no response. */
  withoutResponse = 0;
  private stopped = false;

  constructor(private readonly key: string) {}

  /** Runs so many clients until {@link stop} is called or the service cannot be reached. */
  async run(service: ServiceProcess, clients: number): Promise<void> {
    this.stopped = false;
    await Promise.all(Array.from({ length: clients }, () => this.read(service)));
  }

  /** Lets each client end with the request it has under way. */
  stop(): void {
    this.stopped = true;
  }

  private async read(service: ServiceProcess): Promise<void> {
    while (!this.stopped) {
      const response = await timed(() => service.fetch('/v1/pets?limit=100', this.key));
      if (!response) {
        this.withoutResponse += 1;
        return;
      }
      this.onResponse(response);
      await pause(PAUSE_MS);
    }
  }
}
