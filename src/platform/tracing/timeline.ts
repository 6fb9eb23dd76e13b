import { callerPlace, sourceOf } from './caller-place';

/** A part of a request: it ends where the next one begins, the last one with the request. */
export interface TimelinePhase {
  readonly name: string;
  /** Milliseconds after the beginning of the request. */
  readonly atMs: number;
  readonly ms: number;
}

/** Executions of one statement. */
export interface TimelineStatement {
  /** The statement with parameters in place of values. */
  readonly text: string;
  readonly count: number;
  /** Rows that all executions returned. */
  readonly rows: number;
  /** Beginning of the first execution, in milliseconds after that of the request. */
  readonly atMs: number;
  /** Milliseconds from the beginning of the first execution to the end of the last. */
  readonly spanMs: number;
  /** Sum of the durations, in milliseconds. */
  readonly ms: number;
  /** Executions that failed. */
  readonly failed?: number;
  /** File and line of the code that ran it, `src/orders/orders.service.ts:34`; of the first execution where that is known. */
  readonly place?: string;
}

/** A timeline as it is stored. */
export interface TimelineView {
  readonly phases: readonly TimelinePhase[];
  /** Statements in the order of their first executions. */
  readonly statements: readonly TimelineStatement[];
  /** Executions of statements that are not listed, because too many different ones were run. */
  readonly unlisted?: number;
}

interface Group {
  readonly text: string;
  readonly at: number;
  end: number;
  count: number;
  rows: number;
  ms: number;
  failed: number;
  place: string | undefined;
}

/** Most phases that are kept. */
const MOST_PHASES = 100;

/** Most different statements that are kept. */
const MOST_TEXTS = 100;

/** Most characters of a statement that are stored, and of all statements together. */
const MOST_TEXT = 1_000;
const MOST_IN_ALL = 16_000;

/** The phase ahead of all work, for the event loop or for the response before it on the connection. */
const WAIT = 'wait';

/** The phase of all steps that do not wait, unless each is timed by itself. */
const STEPS = 'steps';

/** Milliseconds beyond which the place of a statement is looked up: reading the stack takes microseconds. */
const SLOW_STATEMENT_MS = 20;

/** Executions of one statement that most often mean a loop: its place is looked up, once. */
const MANY_EXECUTIONS = 10;

/**
 * Phases and statements of one request or command, to explain afterwards why it was slow. Bounded, whatever the request or
 * command does.
 */
export class Timeline {
  /** Statements that have ended. */
  statementCount = 0;
  /** Sum of their durations, in milliseconds. */
  statementsMs = 0;
  /** Longest of their durations, in milliseconds. */
  longestMs = 0;
  private names: string[] | undefined;
  private starts: number[] | undefined;
  private handlerAt = Number.NaN;
  private responseAt = Number.NaN;
  private readonly groups = new Map<string, Group>();
  private unlisted = 0;

  /**
   * @param began arrival of the request, by `performance.now()`
   * @param isDetailed true to time every phase and look up the place of every statement; otherwise only of those that can take
   * long
   */
  constructor(
    readonly began: number,
    private readonly isDetailed: boolean,
  ) {}

  /**
   * Begins a phase, and ends the one before it.
   *
   * @param before new name of the phase before, once it is known
   */
  enter(phase: string, before?: string): void {
    if (this.isDetailed) {
      if (before !== undefined && this.names) this.names[this.names.length - 1] = before;
      this.begin(phase, performance.now());
      return;
    }
    // Timing each phase in lists took 5 µs per GET.
    if (phase === 'response') this.responseAt = performance.now();
    else if (phase === 'handler' && Number.isNaN(this.handlerAt)) this.handlerAt = performance.now();
  }

  /** Begins the phase of a step that waits for something. */
  wait(phase: string): void {
    if (!this.isDetailed) this.begin(phase, performance.now());
  }

  /** Ends the phase of a step that has waited. */
  resume(): void {
    if (!this.isDetailed) this.begin(STEPS, performance.now());
  }

  /** Begins the phase of an operation's own guard or interceptor. */
  enterOwn(phase: string): void {
    const last = this.names?.at(-1);
    if (this.names && last === 'handler') this.names[this.names.length - 1] = 'guards';
    this.begin(phase, performance.now());
  }

  /** Ends the phase of an operation's own guard or interceptor: the handler may come next. */
  leaveOwn(): void {
    const now = performance.now();
    if (this.isDetailed) this.begin('handler', now);
    else this.handlerAt = now;
  }

  private begin(phase: string, at: number): void {
    this.names ??= this.isDetailed ? [] : [STEPS];
    this.starts ??= this.isDetailed ? [] : [this.began];
    if (this.names.length >= MOST_PHASES) return;
    this.names.push(phase);
    this.starts.push(at);
  }

  /**
   * Adds a statement that has ended. Call it while the code that awaits the statement is on the stack.
   *
   * @param began by `performance.now()`
   * @param rows number of rows returned; undefined when the statement failed
   */
  addStatement(text: string, began: number, rows: number | undefined): void {
    const end = performance.now();
    const ms = end - began;
    this.statementCount += 1;
    this.statementsMs += ms;
    if (ms > this.longestMs) this.longestMs = ms;
    let group = this.groups.get(text);
    if (!group) {
      if (this.groups.size >= MOST_TEXTS) {
        this.unlisted += 1;
        return;
      }
      group = { text, at: began, end, count: 0, rows: 0, ms: 0, failed: 0, place: undefined };
      this.groups.set(text, group);
    }
    group.end = end;
    group.count += 1;
    group.ms += ms;
    if (rows === undefined) group.failed += 1;
    else group.rows += rows;
    const isPlaced =
      (this.isDetailed && group.count === 1) || ms >= SLOW_STATEMENT_MS || group.count === MANY_EXECUTIONS;
    if (isPlaced) group.place ??= callerPlace();
  }

  /**
   * Returns the whole timeline of a request.
   *
   * @param durationMs of the request
   * @param waitMs part of the duration before any work for the request
   */
  view(durationMs: number, waitMs = 0): TimelineView {
    const end = this.began + durationMs;
    const begun = this.begunPhases(this.began + waitMs);
    const phases = begun.map(({ name, at }, i) => ({
      name,
      atMs: roundedMs(at - this.began),
      ms: roundedMs((begun[i + 1]?.at ?? end) - at),
    }));
    let left = MOST_IN_ALL;
    let { unlisted } = this;
    const statements: TimelineStatement[] = [];
    for (const group of mergedByText(this.groups.values())) {
      left -= group.text.length;
      if (left < 0) unlisted += group.count;
      else statements.push(this.viewOf(group));
    }
    return { phases: withoutInstants(phases), statements, ...(unlisted > 0 && { unlisted }) };
  }

  private begunPhases(servedAt: number): { readonly name: string; readonly at: number }[] {
    const begun = servedAt > this.began ? [{ name: WAIT, at: this.began }] : [];
    const names = this.names ?? (this.isDetailed ? [] : [STEPS]);
    for (const [i, name] of names.entries())
      begun.push({ name, at: Math.max(this.starts?.[i] ?? servedAt, servedAt) });
    const timed = { handler: this.handlerAt, response: this.responseAt };
    for (const [name, at] of Object.entries(timed)) if (!Number.isNaN(at)) begun.push({ name, at });
    return begun;
  }

  private viewOf({ text, at, end, count, rows, ms, failed, place }: Group): TimelineStatement {
    return {
      ...{
        text,
        count,
        rows,
        atMs: roundedMs(at - this.began),
        spanMs: roundedMs(end - at),
        ms: roundedMs(ms),
      },
      ...(failed > 0 && { failed }),
      ...(place !== undefined && { place: sourceOf(place) }),
    };
  }
}

/** Merges statements that differ only in their values: authors write some values into the text. */
function mergedByText(groups: Iterable<Group>): Group[] {
  const merged = new Map<string, Group>();
  for (const each of groups) {
    const text = withoutValues(each.text).slice(0, MOST_TEXT).toWellFormed();
    const known = merged.get(text);
    if (!known) merged.set(text, { ...each, text });
    else {
      known.end = Math.max(known.end, each.end);
      known.count += each.count;
      known.rows += each.rows;
      known.ms += each.ms;
      known.failed += each.failed;
      known.place ??= each.place;
    }
  }
  return [...merged.values()];
}

/** Returns a statement with a question mark for each literal. Names in quotes and parameters such as `$1` stay. */
export function withoutValues(text: string): string {
  return text.replaceAll(
    /"(?:[^"]|"")*"|\$\d+|'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|(?<![\w.])\d[\w.]*/g,
    (found) => (found.startsWith('"') || /^\$\d+$/.test(found) ? found : '?'),
  );
}

/** Removes phases that took no time: they are entered and left between the pipes of a handler's parameters, and say nothing. */
function withoutInstants(phases: readonly TimelinePhase[]): TimelinePhase[] {
  const kept: TimelinePhase[] = [];
  for (const phase of phases) {
    const last = kept.at(-1);
    if (last?.name === phase.name) {
      kept[kept.length - 1] = { ...last, ms: roundedMs(phase.atMs + phase.ms - last.atMs) };
    } else if (phase.ms >= 0.001) kept.push(phase);
  }
  return kept;
}

/** Rounds milliseconds to whole microseconds. */
export function roundedMs(ms: number): number {
  return Math.round(ms * 1_000) / 1_000;
}
