import type { WriteStream } from 'node:tty';
import { MultiBar, type SingleBar } from 'cli-progress';
import { type Progress, progressLine } from './progress-line';

/** Place of a bar on the terminal, below the messages. */
interface BarPlace {
  readonly terminal: WriteStream | undefined;
  bar: { writeAbove(lines: string): void } | undefined;
}

/** Progress of long work, for a person who watches; elsewhere nothing is shown. */
export class ProgressBar {
  private readonly bars: MultiBar | undefined;
  private bar: SingleBar | undefined;
  private total: number | undefined;
  private doneBefore = 0;

  /** @param label of the work, such as `Adding pets` */
  constructor(
    private readonly output: BarPlace,
    label: string,
  ) {
    const { terminal } = output;
    // MultiBar, though there is one bar: only MultiBar lets lines be written above.
    this.bars =
      terminal &&
      new MultiBar({
        stream: terminal,
        // Lines that are written above replace the bar, which may be unchanged since.
        forceRedraw: true,
        // Without this, those lines would be cut at the edge of the terminal.
        linewrap: true,
        format: (_options, { value, startTime, stopTime }) =>
          progressLine(label, this.progress(value, (stopTime ?? Date.now()) - startTime), terminal.columns),
      });
  }

  /**
   * Shows the bar.
   *
   * @param total of the items; undefined when it is not known
   */
  start(total: number | undefined, done: number): void {
    this.total = total;
    this.doneBefore = done;
    this.bar = this.bars?.create(total ?? 0, done);
    this.output.bar = this.bar && this;
  }

  /** Shows how many items are done. */
  update(done: number, total = this.total): void {
    this.total = total;
    this.bar?.update(done);
  }

  /** Writes whole lines above the bar. */
  writeAbove(lines: string): void {
    this.bars?.log(lines);
    this.bars?.update();
  }

  /** Ends the bar, whose last state stays on the terminal. */
  stop(): void {
    if (this.bar) this.bars?.stop();
    this.bar = undefined;
    this.output.bar = undefined;
  }

  private progress(done: number, milliseconds: number): Progress {
    const seconds = milliseconds / 1_000;
    return { done, total: this.total, rate: seconds > 0 ? (done - this.doneBefore) / seconds : 0 };
  }
}
