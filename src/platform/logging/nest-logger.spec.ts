import { createLogger } from './logger';
import { NestLogger } from './nest-logger';

describe('The logger of Nest', () => {
  it.each([
    ['verbose', 10],
    ['debug', 20],
    ['log', 20],
    ['warn', 40],
    ['error', 50],
    ['fatal', 60],
  ] as const)('writes %s to the log of the service, at level %i', (method, level) => {
    const lines: unknown[] = [];
    const logger = createLogger('trace', { write: (line) => void lines.push(JSON.parse(line)) });
    new NestLogger(logger)[method]('A message.');
    expect(lines).toMatchObject([{ level, msg: 'A message.' }]);
  });
});
