import { defineError } from '../errors/app-error';
import { ServiceUnavailableError } from '../errors/http-errors';
import { CommandError, ExitCode, exitCodeOf, explainFault, RefusedError, UsageError } from './command-error';

const errorWith = (status: number) =>
  new (defineError({ code: `status_${status}`, status, message: 'No.' }))();

describe('The exit code of a command', () => {
  it.each([
    [400, ExitCode.usage],
    [403, ExitCode.refused],
    [404, ExitCode.notFound],
    [409, ExitCode.refused],
    [412, ExitCode.refused],
    [415, ExitCode.failed],
    [422, ExitCode.usage],
    [500, ExitCode.failed],
    [503, ExitCode.tryLater],
  ])('follows from the status of the refusal: %d gives %d', (status, code) => {
    expect(exitCodeOf(errorWith(status))).toBe(code);
  });

  it('is that of a failure for any other error', () => {
    expect([exitCodeOf(new Error('x')), exitCodeOf('x')]).toEqual([ExitCode.failed, ExitCode.failed]);
  });

  it('is the one that a command chooses itself', () => {
    expect([new CommandError('x'), new UsageError('x'), new RefusedError('x')].map(exitCodeOf)).toEqual([
      ExitCode.failed,
      ExitCode.usage,
      ExitCode.refused,
    ]);
  });
});

describe('The message of a failed command', () => {
  it('is the sentence of a refusal, even of one with a cause', () => {
    const cause = new Error('EACCES: permission denied');
    expect(explainFault(new CommandError({ message: 'The file cannot be written.', cause }))).toBe(
      'The file cannot be written.',
    );
  });

  it('is the cause when the database is away', () => {
    expect(explainFault(new ServiceUnavailableError({ cause: new Error('connect ECONNREFUSED') }))).toBe(
      'The database cannot serve at the moment: connect ECONNREFUSED.',
    );
  });

  it('is the name of an error without a message', () => {
    expect([explainFault(new RangeError()), explainFault('text')]).toEqual(['RangeError', 'text']);
  });
});
