import { ServiceUnavailableError } from '../errors/http-errors';
import { until } from '../../../test/support/until';
import { FaultLog } from './fault-log';
import { createLogger } from './logger';

interface Line {
  readonly msg: string;
  readonly level: number;
  readonly leftOut?: number;
  readonly err?: { readonly stack: string };
}

let lines: Line[];
let faults: FaultLog;

beforeEach(() => {
  lines = [];
  faults = new FaultLog(createLogger('info', { write: (line) => void lines.push(JSON.parse(line) as Line) }));
});

const away = () => new ServiceUnavailableError({ cause: new Error('connect ECONNREFUSED') });

describe('The log of faults', () => {
  it('has the first 503 and then the number of others that were left out', async () => {
    faults.warn(away(), 'The work was not renewed.');
    for (let i = 0; i < 5; i += 1) faults.error(away(), 'The page is not whole.');
    expect(lines.map(({ msg, level }) => [msg, level])).toEqual([['The work was not renewed.', 40]]);
    expect(lines[0]?.err?.stack).toContain('ECONNREFUSED');
    await until(() => lines.length > 1);
    expect(lines[1]).toMatchObject({ level: 50, leftOut: 5 });
    faults.error(away(), 'Again.');
    expect(lines[2]).toMatchObject({ msg: 'Again.' });
  });

  it('has every fault other than 503', () => {
    faults.error(away(), 'The database is away.');
    faults.error(new TypeError('a'), 'One.', { err: new TypeError('a'), job: 'x' });
    faults.error(new TypeError('b'), 'Two.');
    expect(lines.map(({ msg }) => msg)).toEqual(['The database is away.', 'One.', 'Two.']);
    expect(lines[1]).toMatchObject({ job: 'x' });
    faults.onApplicationShutdown();
    expect(lines).toHaveLength(3);
  });

  it('says how many it has left out when the service stops', () => {
    faults.error(away(), 'One.');
    faults.error(away(), 'Two.');
    faults.onApplicationShutdown();
    expect(lines[1]).toMatchObject({ leftOut: 1 });
  });
});
