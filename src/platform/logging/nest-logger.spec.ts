import { Logger } from '@nestjs/common';
import { createLogger } from './logger';
import { NestLogger } from './nest-logger';

describe('The logger of Nest', () => {
  let lines: Record<string, unknown>[];

  beforeEach(() => {
    lines = [];
    const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>);
    Logger.overrideLogger(new NestLogger(createLogger('trace', { write })));
  });
  afterEach(() => Logger.overrideLogger(false));

  it.each([
    ['verbose', 10],
    ['debug', 20],
    ['log', 30],
    ['warn', 40],
    ['error', 50],
    ['fatal', 60],
  ] as const)('writes %s of a module with its context, at level %i', (method, level) => {
    new Logger('OrdersService')[method]('An order.');
    expect(lines).toMatchObject([{ level, context: 'OrdersService', msg: 'An order.' }]);
  });

  it('writes what Nest logs of its own start at debug', () => {
    new Logger('RoutesResolver').log('OrdersController {/orders}:');
    expect(lines).toMatchObject([{ level: 20, context: 'RoutesResolver' }]);
  });

  it('writes parameters and objects as they are', () => {
    new Logger('OrdersService').log('An order.', { id: 7 }, 'urgent');
    new Logger('OrdersService').log({ id: 7 });
    expect(lines).toMatchObject([
      { msg: 'An order.', context: 'OrdersService', details: [{ id: 7 }, 'urgent'] },
      { context: 'OrdersService', details: [{ id: 7 }] },
    ]);
  });

  it.each([
    ['as the message', (error: Error) => new Logger('OrdersService').error(error)],
    ['as a parameter', (error: Error) => new Logger('OrdersService').warn('It failed.', error)],
    ['by its stack', (error: Error) => new Logger('OrdersService').error('It failed.', error.stack)],
  ])('writes an error with its stack: %s', (_title, log) => {
    log(new Error('no hay'));
    expect(lines).toMatchObject([{ context: 'OrdersService' }]);
    expect(JSON.stringify(lines)).toContain('nest-logger.spec.ts');
  });

  it('needs no context', () => {
    Logger.log('An order.');
    expect(lines).toMatchObject([{ level: 30, msg: 'An order.' }]);
  });
});
