import { Timeline, withoutValues } from './timeline';

describe('A timeline', () => {
  const began = performance.now();

  it('keeps a bounded number of phases and statements, and counts the statements that it leaves out', () => {
    const timeline = new Timeline(began, true);
    for (let i = 0; i < 10_000; i++) {
      timeline.enter(`phase ${i}`);
      timeline.addStatement(`SELECT "column_of_table_${'x'.repeat(500)}${i}"`, began, 1);
    }
    const { phases, statements, unlisted = 0 } = timeline.view(1);
    expect(phases.length).toBeLessThanOrEqual(100);
    expect(statements.length + unlisted).toBe(10_000);
    expect(timeline.statementCount).toBe(10_000);
    expect(JSON.stringify(timeline.view(1)).length).toBeLessThan(40_000);
  });

  it('times the steps as one in production, except those that wait, the handler and the response', () => {
    let now = began;
    jest.spyOn(performance, 'now').mockImplementation(() => now);
    const timeline = new Timeline(now, false);
    const later = () => void (now += 3);
    timeline.enter('wire');
    later();
    timeline.wait('rate limit');
    later();
    timeline.resume();
    later();
    for (const phase of ['guards', 'handler', 'pipes', 'handler']) timeline.enter(phase);
    later();
    timeline.enter('response');
    later();
    const { phases } = timeline.view(now - timeline.began);
    jest.restoreAllMocks();
    expect(phases.map(({ name, ms }) => [name, ms])).toEqual([
      ['steps', 3],
      ['rate limit', 3],
      ['steps', 3],
      ['handler', 3],
      ['response', 3],
    ]);
  });

  it('counts statements as one that differ only in literal values', () => {
    const timeline = new Timeline(began, false);
    for (let i = 0; i < 5; i++) timeline.addStatement(`SELECT * FROM "vans" WHERE "id" = ${i}`, began, 2);
    expect(timeline.view(1).statements).toMatchObject([
      { text: 'SELECT * FROM "vans" WHERE "id" = ?', count: 5, rows: 10 },
    ]);
  });

  it.each([
    [`SELECT 'it''s', "it's 1" FROM "t1"`, `SELECT ?, "it's 1" FROM "t1"`],
    ['a = $1 AND b = 1.5e3 AND c2 = -7', 'a = $1 AND b = ? AND c2 = -?'],
    ['x = $$a secret$$ OR y = $tag$another$tag$', 'x = ? OR y = ?'],
    ['LIMIT 20 OFFSET 0', 'LIMIT ? OFFSET ?'],
    ['a = (+?) AND b = x1', 'a = (+?) AND b = x1'],
  ])('shows %s without its values', (text, shown) => {
    expect(withoutValues(text)).toBe(shown);
  });
});
