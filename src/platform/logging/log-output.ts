import { type DestinationStream, type Logger, symbols } from 'pino';
import { redactTokens } from './redact-tokens';

/** Final destination of lines. */
export interface LogDestination extends DestinationStream {
  /** Takes a line that may wait a little. */
  writeLater?(line: string): void;
  /** True while lines are kept that its reader has not taken: they are lost if the process dies. */
  readonly isBehind?: boolean;
}

/** Passes on every line of the log, without the API keys in it. */
export class LogOutput implements DestinationStream {
  constructor(private readonly destination: LogDestination) {}

  /** Returns the output of a logger that {@link createLogger} made, for lines that are written elsewhere. */
  static of(logger: Logger): LogOutput {
    const stream = (logger as unknown as Record<symbol, unknown>)[symbols.streamSym];
    if (!(stream instanceof LogOutput)) throw new Error('This logger was not made by createLogger.');
    return stream;
  }

  get isBehind(): boolean {
    return this.destination.isBehind ?? false;
  }

  write(line: string): void {
    this.destination.write(redactTokens(line));
  }

  /** Writes a line that may wait a little, such as that of a request. */
  writeLater(line: string): void {
    const text = redactTokens(line);
    if (this.destination.writeLater) this.destination.writeLater(text);
    else this.destination.write(text);
  }
}
