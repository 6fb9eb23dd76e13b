import type { TimedResponse } from '../../support/http/timed-response';
import { recordFigure } from '../../support/samples/figures';

/** Counts responses, and keeps those that break the contract. */
export class ResponseCount {
  readonly byStatus = new Map<number, number>();
  /** Each refusal that is none of those expected, or not what the contract says it is, in words. */
  readonly wrong: string[] = [];
  /** The longest any client waited, in milliseconds. */
  longestMs = 0;

  /** @param expected the statuses of the refusals that may come; any unless given */
  constructor(private readonly expected?: readonly number[]) {}

  readonly note = (response: TimedResponse): void => {
    const { status, ms } = response;
    this.byStatus.set(status, this.of(status) + 1);
    this.longestMs = Math.max(this.longestMs, ms);
    if (status >= 400) this.judge(response);
  };

  /** How many responses had this status. */
  of(status: number): number {
    return this.byStatus.get(status) ?? 0;
  }

  get statuses(): number[] {
    return [...this.byStatus.keys()].sort((a, b) => a - b);
  }

  /** Notes the counts and the longest wait among the figures. */
  record(fault: string): void {
    const counts = this.statuses.map((status) => `${status}: ${this.of(status).toLocaleString('en')}`);
    recordFigure(fault, 'responses by status', counts.join(', '));
    recordFigure(fault, 'longest wait for a response', milliseconds(this.longestMs));
  }

  private judge({ status, headers, body }: TimedResponse): void {
    const isError = isErrorOf(status, body);
    const isRetried = status !== 503 || /^[1-9]\d*$/.test(headers.get('retry-after') ?? '');
    const isExpected = this.expected?.includes(status) ?? true;
    if (!isExpected || !isError || !isRetried)
      this.wrong.push(`${status} ${JSON.stringify([...headers])} ${body}`);
  }
}

/** A time for people. */
export function milliseconds(ms: number): string {
  return `${Math.round(ms).toLocaleString('en')} ms`;
}

function isErrorOf(status: number, body: string): boolean {
  try {
    const error = JSON.parse(body) as Record<string, unknown>;
    const { code, message } = error;
    const isComplete = typeof code === 'string' && typeof message === 'string' && error.status === status;
    return isComplete && Object.keys(error).length === 3;
  } catch {
    return false;
  }
}
