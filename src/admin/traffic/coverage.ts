import type { NodeProcess } from './traffic.service';
import { MINUTE_MS } from './traffic-recorder.service';

/** When there were processes that served and measured. Where there was none, no requests is not the same as none measured. */
export class Coverage {
  private readonly spans: readonly { readonly from: number; readonly to: number }[];

  /** @param processes those of the last two days, which are kept */
  constructor(processes: readonly NodeProcess[], now: Date) {
    this.spans = processes.map(({ state, startedAt, seenAt, leftAt }) => ({
      from: startedAt.getTime(),
      to: (state === 'serving' ? now : (leftAt ?? seenAt)).getTime(),
    }));
  }

  /** Since when something is known; undefined while nothing is. */
  get from(): number | undefined {
    return this.spans.length === 0 ? undefined : Math.min(...this.spans.map(({ from }) => from));
  }

  /** Whether a process served within some minutes from an instant on. */
  includes(at: Date, minutes: number): boolean {
    const [from, to] = [at.getTime(), at.getTime() + minutes * MINUTE_MS];
    return this.spans.some((span) => span.from < to && span.to >= from);
  }
}
