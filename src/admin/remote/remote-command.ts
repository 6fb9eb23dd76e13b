import type { Question, RemoteCommand, RemoteTerminal } from '../../platform/cli/remote/protocol';
import { InvalidBodyError } from '../../platform/errors/http-errors';
import { readJson } from '../../platform/values/json-reader';

const MAX_COLUMNS = 10_000n;
/** More than any command asks. */
const MAX_CONFIRMED = 10;

type Members = Readonly<Record<string, unknown>>;

/**
 * Reads the body of a request to run a command.
 *
 * @throws InvalidJsonError or InvalidBodyError
 */
export function readRemoteCommand(body: Buffer): RemoteCommand {
  const { args, terminal, confirmed } = membersOf(readJson(body));
  if (!Array.isArray(args) || !args.every((arg) => typeof arg === 'string')) throw unreadable();
  if (!Array.isArray(confirmed) || confirmed.length > MAX_CONFIRMED) throw unreadable();
  return { args, terminal: readTerminal(terminal), confirmed: confirmed.map(readQuestion) };
}

function readTerminal(value: unknown): RemoteTerminal {
  const { isTerminal, hasColours, canAsk, columns } = membersOf(value);
  if (typeof isTerminal !== 'boolean' || typeof hasColours !== 'boolean' || typeof canAsk !== 'boolean') {
    throw unreadable();
  }
  if (columns === null) return { isTerminal, hasColours, canAsk, columns };
  if (typeof columns !== 'bigint' || columns < 0n || columns > MAX_COLUMNS) throw unreadable();
  return { isTerminal, hasColours, canAsk, columns: Number(columns) };
}

function readQuestion(value: unknown): Question {
  const { question, about } = membersOf(value);
  if (typeof question !== 'string' || typeof about !== 'string') throw unreadable();
  return { question, about };
}

function membersOf(value: unknown): Members {
  if (typeof value !== 'object' || value === null) throw unreadable();
  return value as Members;
}

function unreadable() {
  return new InvalidBodyError('The body is no command of a command line that this version understands.');
}
