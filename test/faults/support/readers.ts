import { setTimeout as pause } from 'node:timers/promises';
import { type Answered, answered } from '../../support/answered';
import type { ServiceProcess } from '../../support/service-process';

/** Time between two requests of one reader, in milliseconds. */
const PAUSE_MS = 5;

/** Clients that list pets, one request after the other, until told to stop. */
export class PetReaders {
  /** Called with each response. */
  onAnswered: (answer: Answered) => void = () => undefined;
  /** How many requests got no response. */
  unanswered = 0;
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
      const answer = await answered(() => service.fetch('/v1/pets?limit=100', this.key));
      if (!answer) {
        this.unanswered += 1;
        return;
      }
      this.onAnswered(answer);
      await pause(PAUSE_MS);
    }
  }
}
