/** When requests are refused, in milliseconds unless told. */
export interface OverloadLimits {
  /** Wait from which on a turn of the event loop counts as late. */
  readonly lateMs: number;
  /** For how long turns must have been late before any request is refused. */
  readonly sustainedMs: number;
  /** Wait up to which requests are accepted then; those of modest callers up to twice as much. */
  readonly targetMs: number;
  /** After how long without a refusal the service is no longer overloaded. */
  readonly calmMs: number;
  /** Requests in a turn, or under way, that are accepted however long they take. */
  readonly floor: number;
}

export const OVERLOAD_LIMITS: OverloadLimits = {
  lateMs: 500,
  sustainedMs: 1_000,
  targetMs: 200,
  calmMs: 1_000,
  floor: 64,
};

/** Late turns in a row at least: one alone may be due to anything. */
const LATE_TURNS = 3;

/** Between two counts of what is finished and of who asks, in milliseconds. */
const WINDOW_MS = 500;

/** Callers told apart in a window; all further ones count as one. */
const MAX_CALLERS = 1_024;

/** What requests are refused for. */
export type ShedReason = 'event_loop' | 'requests';

/**
 * Judges whether a request would be responded to in time, by two waits: what this turn of the event loop has taken, since
 * all that is readable is read within one turn and its length is the wait of the last; and how long the requests under way
 * will take at the rate at which requests are finished.
 */
export class Overload {
  private running = 0;
  private finished = 0;
  private finishedPerMs = 0;
  private turnBegan: number | undefined;
  private inTurn = 0;
  private windowBegan = 0;
  private acceptedInWindow = 0;
  private lateSince = 0;
  private lastLate = -Infinity;
  private lateTurns = 0;
  private shedUntil = -Infinity;
  private callers = new Map<string, number>();
  private modest: ReadonlySet<string> = new Set();

  /** @param afterTurn does something once this turn of the event loop is over */
  constructor(
    private readonly limits: OverloadLimits,
    private readonly now: () => number,
    private readonly afterTurn: (work: () => void) => void,
  ) {}

  /** The reason to refuse a request that has just arrived, if there is one. */
  judge(caller: () => string): ShedReason | undefined {
    if (this.turnBegan === undefined) {
      this.turnBegan = this.now();
      this.afterTurn(() => this.endTurn());
    }
    this.inTurn += 1;
    return this.turnBegan < this.shedUntil ? this.judgeUnderLoad(caller(), this.turnBegan) : undefined;
  }

  /** A request is accepted; to be followed by {@link end}. */
  begin(): void {
    this.running += 1;
    this.acceptedInWindow += 1;
  }

  end(): void {
    this.running -= 1;
    this.finished += 1;
  }

  private judgeUnderLoad(caller: string, turnBegan: number): ShedReason | undefined {
    const name = this.callers.has(caller) || this.callers.size < MAX_CALLERS ? caller : '';
    this.callers.set(name, (this.callers.get(name) ?? 0) + 1);
    if (this.inTurn <= this.limits.floor && this.running <= this.limits.floor) return undefined;
    const now = this.now();
    const elapsed = now - turnBegan;
    const most = this.modest.has(name) ? 2 * this.limits.targetMs : this.limits.targetMs;
    if (elapsed + this.backlogMs() <= most) return undefined;
    this.shedUntil = now + this.limits.calmMs;
    return elapsed > most ? 'event_loop' : 'requests';
  }

  /** How long the requests under way will take; too few to matter take none. */
  private backlogMs(): number {
    return this.running > this.limits.floor ? this.running / this.finishedPerMs : 0;
  }

  private endTurn(): void {
    const now = this.now();
    const began = this.turnBegan ?? now;
    const elapsed = this.inTurn > this.limits.floor ? now - began : 0;
    this.turnBegan = undefined;
    this.inTurn = 0;
    if (now - this.windowBegan >= WINDOW_MS) this.endWindow(now);
    if (elapsed + this.backlogMs() > this.limits.lateMs) this.noteLate(began, now);
  }

  private noteLate(began: number, now: number): void {
    if (began - this.lastLate > WINDOW_MS) {
      this.lateSince = began;
      this.lateTurns = 0;
    }
    this.lastLate = now;
    this.lateTurns += 1;
    if (this.lateTurns >= LATE_TURNS && now - this.lateSince >= this.limits.sustainedMs) {
      this.shedUntil = Math.max(this.shedUntil, now + this.limits.calmMs);
    }
  }

  private endWindow(now: number): void {
    this.finishedPerMs = this.finished / (now - this.windowBegan);
    if (this.callers.size > 0) {
      this.modest = modestOf(this.callers, this.acceptedInWindow);
      this.callers = new Map();
    }
    this.windowBegan = now;
    this.finished = 0;
    this.acceptedInWindow = 0;
  }
}

/** The callers that ask for no more than an equal share of what can be done, where those who need less leave the rest to others. */
function modestOf(demands: ReadonlyMap<string, number>, capacity: number): ReadonlySet<string> {
  const modest = new Set<string>();
  let left = capacity;
  let others = demands.size;
  for (const [caller, demand] of [...demands].sort(([, a], [, b]) => a - b)) {
    if (demand > left / others) break;
    modest.add(caller);
    left -= demand;
    others -= 1;
  }
  return modest;
}
