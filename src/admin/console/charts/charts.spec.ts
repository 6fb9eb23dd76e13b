import type { Html } from '../../../platform/html/html';
import { MINUTE_MS } from '../../../platform/values/calendar';
import { Steps } from '../../statistics/steps';
import { exact } from '../ui/number-text';
import { proportions } from './bars';
import { chart, NOT_MEASURED, smallChart } from './chart';

const ABOUT = { id: 'c', title: 'Requests', summary: 'Requests per minute.' };

/** Minutes from midnight. */
function minutes(count: number): Steps {
  return new Steps(new Date(Date.UTC(2026, 10, 21)), MINUTE_MS, count);
}

function line(values: readonly (number | undefined)[], gaps?: readonly boolean[]): string {
  const series = [{ name: 'All', tone: 'accent', values } as const];
  const figures = { steps: minutes(values.length), series, drawnAs: 'lines', ...(gaps && { gaps }) } as const;
  return chart({ ...ABOUT, ...figures, text: exact }).text;
}

function columns(...parts: (readonly number[])[]): string {
  return chart({
    ...ABOUT,
    steps: minutes(parts[0]?.length ?? 0),
    series: parts.map((values, i) => ({ name: `Part ${i}`, tone: 'accent', values })),
    drawnAs: 'columns',
  }).text;
}

/** A chart of calls by day, the last of which is 21 November. */
function days(values: readonly number[], total?: number): string {
  const steps = Steps.lastDays(values.length, Date.UTC(2026, 10, 21, 12));
  const series = [{ name: 'Calls', tone: 'accent', values } as const];
  return chart({ ...ABOUT, steps, series, drawnAs: 'columns', ...(total !== undefined && { total }) }).text;
}

/** The paths of the lines in a drawing. */
function paths(text: string): string[] {
  return [...text.matchAll(/chart-line[^>]* d="([^"]*)"/g)].map(([, d = '']) => d);
}

/** Expects what every drawing has to satisfy. */
function expectSound({ text }: Html | { text: string }): void {
  expect(text).not.toMatch(/NaN|Infinity|undefined|style=/);
}

describe('A line chart', () => {
  it('runs through all values with the largest tick at its top', () => {
    // The plot is 180 pixels high for the value 10, below a margin of 8.
    expect(paths(line([0, 5, 10]))).toEqual(['M166.67 188L500 98L833.33 8']);
  });

  it('describes itself to screen readers and repeats its values in a table', () => {
    const text = line([1, undefined]);
    expect(text).toContain('role="img" aria-labelledby="c-title c-text"');
    expect(text).toContain(
      '<span id="c-title" hidden>Requests</span><span id="c-text" hidden>Requests per minute.</span>',
    );
    expect(text).toContain('<th scope="row">21 Nov 00:00</th><td class="number">1</td>');
    expect(text).toContain('<th scope="row">21 Nov 00:01</th><td class="number">–</td>');
  });

  it('marks each period without measurements once, and labels it so', () => {
    const text = line([1, undefined, undefined, 0, undefined], [false, true, true, false, false]);
    expect(text.match(/<rect class="chart-gap" x="[^"]*" width="[^"]*"/g)).toEqual([
      '<rect class="chart-gap" x="20%" width="40%"',
    ]);
    expect([...text.matchAll(/<td class="number">([^<]*)</g)].map(([, value]) => value)).toEqual([
      '1',
      NOT_MEASURED,
      NOT_MEASURED,
      '0',
      '–',
    ]);
    expect(text).toMatch(new RegExp(`>${NOT_MEASURED}</li>`, 'i'));
    expect(text).toContain(`All: ${NOT_MEASURED}`);
  });

  it('stops at missing values, and draws a value between two gaps as a dot', () => {
    const text = line([1, 2, undefined, 3]);
    expect(paths(text)).toHaveLength(1);
    expect(text.match(/<circle/g)).toHaveLength(1);
  });

  it.each([[[]], [[5]], [[undefined, undefined]], [[0, 0, 0]], [[1e300, 1, 9e15]], [[Number.MIN_VALUE]]])(
    'is well-formed for the values %j',
    (values) => expectSound({ text: line(values) }),
  );

  it('escapes the names of its series', () => {
    const series = [{ name: '<b>&"', tone: 'accent', values: [1] } as const];
    const { text } = chart({ ...ABOUT, title: '<i>', steps: minutes(1), series, drawnAs: 'lines' });
    expect(text).not.toMatch(/<[bi]>/);
    expect(text).toContain('&lt;b&gt;&amp;&quot;');
  });
});

describe('A column chart', () => {
  it('stacks the parts of a column', () => {
    const rects = [
      ...columns([6, 0], [2, 8]).matchAll(/<rect class="chart-accent"[^>]* y="([^"]*)" height="([^"]*)"/g),
    ];
    // The axis ends at 8.
    expect(rects.map(([, y, height]) => [Number(y), Number(height)])).toEqual([
      [53, 135],
      [8, 45],
      [8, 180],
    ]);
  });

  it('draws the smallest value visibly, and zero not at all', () => {
    const heights = [...columns([1e9, 1, 0]).matchAll(/<rect class="chart-accent"[^>]* height="([^"]*)"/g)];
    expect(heights.map(([, height]) => height)).toEqual(['180', '1.5']);
  });

  it('names only days on an axis of two days, and draws columns narrower than a day', () => {
    const text = days([1, 2]);
    const labels = [...text.matchAll(/<text class="chart-label[^"]*" x="(\d+%)"[^>]*>([^<]*)</g)];
    expect(labels.map(([, x, label]) => [x, label])).toEqual([
      ['25%', '20 Nov'],
      ['75%', '21 Nov'],
    ]);
    const columnsOf = [...text.matchAll(/<rect class="chart-accent" x="([^"]*)" width="([^"]*)"/g)];
    expect(columnsOf.map(([, x, width]) => [x, width])).toEqual([
      ['20%', '10%'],
      ['70%', '10%'],
    ]);
  });

  it.each([[[]], [[5]], [[0, 0]], [[1e300, 1]]])('is well-formed for the values %j', (values) =>
    expectSound({ text: columns(values) }),
  );
});

describe('A step of a chart', () => {
  it('is a link to its time, in the drawing and in the table, if it has an address', () => {
    const pathOf = (from: Date, to: Date) =>
      from.getUTCMinutes() > 0 ? `/from/${from.getTime()}/to/${to.getTime()}` : undefined;
    const series = [{ name: 'All', tone: 'accent', values: [1, 2] } as const];
    const { text } = chart({ ...ABOUT, steps: minutes(2), series, drawnAs: 'columns', pathOf });
    const second = Date.UTC(2026, 10, 21, 0, 1);
    const path = `/from/${second}/to/${second + MINUTE_MS}`;
    expect(
      [...text.matchAll(/<(g|a) class="chart-hint"( href="([^"]*)")?/g)].map(([, tag, , href]) => [
        tag,
        href,
      ]),
    ).toEqual([
      ['g', undefined],
      ['a', path],
    ]);
    expect(text).toContain('<th scope="row">21 Nov 00:00</th>');
    expect(text).toContain(`<th scope="row"><a href="${path}">21 Nov 00:01</a></th>`);
  });
});

describe('The first day of a chart', () => {
  it.each([
    ['is that of the first number, where the history begins within', [0, 0, 3, 1], 4, 2],
    ['is the first of all, where some of the history is older', [0, 0, 3, 1], 5, 4],
    ['is the first of all, where there is no history', [0, 0], 0, 2],
  ])('%s', (_title, counts, total, shown) => {
    expect(days(counts, total).match(/<th scope="row">/g)).toHaveLength(shown);
  });
});

describe('A bar of proportions', () => {
  it('divides its width in proportion to the values', () => {
    const { text } = proportions([
      { name: 'a', value: 3, tone: 'accent' },
      { name: 'b', value: 1, tone: 'soft', path: '/b' },
    ]);
    expect([...text.matchAll(/x="([^"]*)" width="([^"]*)"/g)].map(([, x, width]) => [x, width])).toEqual([
      ['0%', '75%'],
      ['75%', '25%'],
    ]);
    expect(text).toContain('<span class="bar-share">75%</span>');
    expect(text).toContain('<a href="/b">b</a>');
  });

  it('is well-formed without values', () => {
    for (const parts of [[], [{ name: 'a', value: 0, tone: 'accent' } as const]]) {
      expectSound(proportions(parts));
    }
  });
});

describe.each(['columns', 'lines'] as const)('A small chart of %s', (drawnAs) => {
  const small = (values: readonly (number | undefined)[]) =>
    smallChart({ steps: minutes(values.length), series: [{ name: '', tone: 'accent', values }], drawnAs });

  it.each([[[]], [[1]], [[0, 0]], [[1, undefined, 1e300, 4]]])('is well-formed for the values %j', (values) =>
    expectSound(small(values)),
  );

  it('has no text, and reaches its top with the largest value', () => {
    const { text } = small([0, 7, 7]);
    expect(text).not.toMatch(/<text|<title|<table/);
    expect(text).toMatch(drawnAs === 'columns' ? / y="2" height="38"/ : /M166.67 40L500 2L833.33 2"/);
  });
});
