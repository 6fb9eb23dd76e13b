import type { TimelineView } from '../../platform/tracing/timeline';
import { phaseInWords } from './phase-words';

/** A phase of a request, or the executions of a statement in it. */
export interface TimelineRow {
  readonly isStatement: boolean;
  /** The phase in words, or the text of the statement. */
  readonly what: string;
  /** Time from the beginning of the request, in milliseconds. */
  readonly atMs: number;
  /** Time from its beginning to its end, in milliseconds. */
  readonly spanMs: number;
  /** Time it took, in milliseconds; the sum of all executions of a statement. */
  readonly ms: number;
  readonly count?: number;
  readonly rows?: number;
  readonly failed?: number;
  readonly place?: string;
}

/** Lists phases and statements in the order of their beginnings, each statement below the phase that began it. */
export function timelineRows({ phases, statements, unlisted }: TimelineView): TimelineRow[] {
  const rows: TimelineRow[] = [
    ...phases.map(({ name, atMs, ms }) => ({
      isStatement: false,
      what: phaseInWords(name),
      atMs,
      spanMs: ms,
      ms,
    })),
    ...statements.map(({ text, ...rest }) => ({ isStatement: true, what: text, ...rest })),
  ].sort((a, b) => a.atMs - b.atMs || Number(a.isStatement) - Number(b.isStatement));
  if (unlisted === undefined) return rows;
  const atMs = rows.at(-1)?.atMs ?? 0;
  return [
    ...rows,
    { isStatement: true, what: 'Statements not listed', atMs, spanMs: 0, ms: 0, count: unlisted },
  ];
}
