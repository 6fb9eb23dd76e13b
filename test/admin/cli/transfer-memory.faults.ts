import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { csvOf } from '../support/pet-transfers';
import { CliProcess } from '../../cli/support/cli-process';

/**
 * Loaded into the command: writes down by its end how much was in use after the full collections of garbage, at most and in
 * bytes. What V8 has taken says little: it grows by steps, and which step a command ends at is chance.
 */
const MEASURE = `
const { constants, PerformanceObserver } = require('node:perf_hooks');
const inUse = () => {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
};
let most = 0;
new PerformanceObserver((list) => {
  const isFull = ({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR;
  if (list.getEntries().some(isFull)) most = Math.max(most, inUse());
}).observe({ entryTypes: ['gc'] });
process.on('exit', () => require('node:fs').writeFileSync('memory', String(most || inUse())));
`;

/** Enough for full collections of garbage while they are read. */
const FEW = 60_000;
const MANY = 180_000;

describe('The memory of petstore pets import and export', () => {
  const folder = new CliProcess();
  writeFileSync(join(folder.folder, 'measure.cjs'), MEASURE);
  const cli = folder.with({ NODE_OPTIONS: '--require ./measure.cjs' });

  /** What a command has in use. */
  async function taken(...words: string[]): Promise<number> {
    const { code, stderr } = await cli.run('pets', ...words);
    expect({ code, stderr }).toEqual({ code: 0, stderr: expect.any(String) as string });
    return Number(readFileSync(join(cli.folder, 'memory'), 'utf8'));
  }

  it('does not depend on the number of rows', async () => {
    for (const count of [FEW, MANY]) {
      writeFileSync(join(cli.folder, `${count}.csv`), csvOf(`of ${count}`, count));
    }
    expect(await folder.run('db', 'migrate')).toMatchObject({ code: 0 });
    const few = await taken('import', `${FEW}.csv`);
    expect(await taken('import', `${MANY}.csv`)).toBeLessThan(1.5 * few);
    expect(await taken('export', '--output', 'all.ndjson')).toBeLessThan(1.5 * few);
  });
});
