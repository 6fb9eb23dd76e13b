import type { TimelineView } from '../../../platform/tracing/timeline';
import { waterfall } from './waterfall';

const statement = { text: 'SELECT 1', count: 1, rows: 1, atMs: 0.21, spanMs: 0.01, ms: 0.01 };

/** Phases that begin one after another and take these times. */
function timelineOf(...times: readonly (readonly [name: string, ms: number])[]): TimelineView {
  let atMs = 0;
  const phases = times.map(([name, ms]) => {
    const phase = { name, atMs, ms };
    atMs += ms;
    return phase;
  });
  return { phases, statements: [] };
}

/** The texts of rows, with what they fold. */
function rowsOf(timeline: TimelineView): string[] {
  const { text } = waterfall(timeline, 50);
  const [, body = ''] = /<tbody[^>]*>(.*)<\/tbody>/s.exec(text) ?? [];
  return body.split('</tr>').slice(0, -1);
}

describe('The waterfall of a request', () => {
  it('folds phases of less than 0.1 ms into its last row, which says how many and how long', () => {
    const rows = rowsOf(timelineOf(['wire', 0.05], ['route', 0.02], ['handler', 40], ['response', 0.03]));
    expect(rows).toHaveLength(2);
    expect(rows[0]).toContain('Running the operation');
    expect(rows[1]).toContain('3 others, 0.1 ms together');
    expect(rows[1]?.match(/<li>/g)).toHaveLength(3);
    expect(rows[1]).toContain('<li>Finding the operation: 0.02 ms</li>');
  });

  it('shows a phase in which a statement began, and one that would be folded alone', () => {
    const { phases } = timelineOf(['wire', 0.2], ['authentication', 0.05], ['route', 0.01], ['handler', 40]);
    const rows = rowsOf({ phases, statements: [statement] });
    expect(rows).toHaveLength(5);
    expect(rows.join('')).not.toContain('<details');
  });

  it('folds nothing where no phase took longer', () => {
    expect(rowsOf(timelineOf(['wire', 0.05], ['route', 0.02]))).toHaveLength(2);
  });
});
