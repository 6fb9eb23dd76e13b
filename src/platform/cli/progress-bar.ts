import { SingleBar } from 'cli-progress';
import type { Output } from './output';

/** A bar that shows how far long work has come, to a person who watches; elsewhere nothing. */
export class ProgressBar {
  private readonly bar: SingleBar | undefined;

  /** @param label what is done, as `Adding pets` */
  constructor({ terminal }: Output, label: string) {
    this.bar =
      terminal &&
      new SingleBar({
        stream: terminal,
        format: `${label} [{bar}] {percentage}% | {value}/{total} | {eta_formatted} left`,
        etaBuffer: 100,
      });
  }

  start(total: number, done: number): void {
    this.bar?.start(total, done);
  }

  update(done: number): void {
    this.bar?.update(done);
  }

  stop(): void {
    this.bar?.stop();
  }
}
