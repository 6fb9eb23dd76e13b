import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

type Figure = readonly [fault: string, name: string, value: string];

/** Notes what a test has counted or measured; the end of the run shows all figures in one table. */
export function recordFigure(fault: string, name: string, value: string | number): void {
  const figure: Figure = [fault, name, typeof value === 'number' ? value.toLocaleString('en') : value];
  appendFileSync(figuresFile(), `${JSON.stringify(figure)}\n`);
}

/** The table of all figures noted in this run; undefined when there are none. */
export function figuresTable(): string | undefined {
  const file = figuresFile();
  if (!existsSync(file)) return undefined;
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  const rows = lines.map((line) => JSON.parse(line) as Figure);
  const width = (column: 0 | 1) => Math.max(...rows.map((row) => row[column].length));
  const format = ([fault, name, value]: Figure, i: number) => {
    const isRepeated = rows[i - 1]?.[0] === fault;
    return `${(isRepeated ? '' : fault).padEnd(width(0))}  ${name.padEnd(width(1))}  ${value}`;
  };
  return rows.map(format).join('\n');
}

/** In the folder of the run: each test file may have a process of its own. */
function figuresFile(): string {
  return join(process.env.TEST_FOLDER ?? '', 'figures.jsonl');
}
