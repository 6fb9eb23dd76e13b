import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import type { Logger } from 'pino';
import { inRequest, attachContext } from '../tracing/request-context';
import type { Span } from '../tracing/tracing';
import { tokenOfSecret } from '../security/api-key-token';
import { createLogger } from './logger';
import { LogOutput } from './log-output';

const token = tokenOfSecret(Buffer.alloc(32, 7));

let now: string[];
let later: string[];
let logger: Logger;

beforeEach(() => {
  now = [];
  later = [];
  logger = createLogger('info', {
    write: (line) => void now.push(line),
    writeLater: (line) => void later.push(line),
  });
});

function lines(): unknown[] {
  return now.map((line) => JSON.parse(line) as unknown);
}

function requestNamed(id: string): IncomingMessage {
  const request = new IncomingMessage(new Socket());
  request.headers['x-request-id'] = id;
  return request;
}

describe('A log line', () => {
  it('has level, time and service, and no ids outside a request', () => {
    logger.warn({ reason: 'cold' }, 'It is cold.');
    expect(lines()).toEqual([
      {
        level: 40,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        service: 'petstore',
        reason: 'cold',
        msg: 'It is cold.',
      },
    ]);
  });

  it('has the ids of its request, however deep the work that logs it', async () => {
    const sent = requestNamed('sent');
    sent.headers.traceparent = `00-${'b'.repeat(32)}-${'c'.repeat(16)}-01`;
    const traced = requestNamed('traced');
    attachContext({ request: traced, span: { id: 'd'.repeat(16), traceId: 'a'.repeat(32) } as Span });
    const work = async (message: string) => {
      await turn();
      logger.info(message);
    };
    await Promise.all([
      inRequest(requestNamed('plain'), () => work('first')),
      inRequest(traced, () => work('second')),
      inRequest(sent, () => work('third')),
      work('fourth'),
    ]);
    expect(lines()).toEqual([
      expect.objectContaining({ msg: 'first', requestId: 'plain' }),
      expect.objectContaining({
        msg: 'second',
        requestId: 'traced',
        traceId: 'a'.repeat(32),
        spanId: 'd'.repeat(16),
      }),
      expect.objectContaining({ msg: 'third', requestId: 'sent', traceId: 'b'.repeat(32) }),
      expect.not.objectContaining({ requestId: expect.anything() }),
    ]);
  });

  it('names another request when it is about that one', () => {
    inRequest(requestNamed('this'), () => logger.info({ requestId: 'other' }, 'about it'));
    expect(lines()).toEqual([expect.objectContaining({ requestId: 'other' })]);
  });

  it.each<[string, (log: Logger) => void]>([
    ['a message', (log) => log.info(`It was ${token}.`)],
    ['a member', (log) => log.info({ nested: { key: token } }, 'member')],
    ['the name of a member', (log) => log.info({ [token]: 1 }, 'name')],
    ['an error with its cause', (log) => log.error(new Error('no', { cause: new Error(token) }))],
    ['a child logger', (log) => log.child({ key: token }).info('child')],
    ['a line made elsewhere', (log) => LogOutput.of(log).writeLater(`{"requestId":"${token}"}\n`)],
  ])('never contains a key that was in %s', (_where, log) => {
    log(logger);
    const written = [...now, ...later].join('');
    expect(written).toContain('petk_[redacted]');
    expect(written).not.toContain(token.slice(0, 16));
  });

  it('is written at once unless it may wait and the destination allows that', () => {
    logger.info('at once');
    LogOutput.of(logger).writeLater('waits\n');
    expect([now.length, later]).toEqual([1, ['waits\n']]);
    const plain: string[] = [];
    LogOutput.of(createLogger('info', { write: (line) => void plain.push(line) })).writeLater('at once\n');
    expect(plain).toEqual(['at once\n']);
  });
});
