import { type DestinationStream, type Logger, symbols } from 'pino';
import { redactTokens } from './redact-tokens';

/** Where lines go in the end. */
export interface LogDestination extends DestinationStream {
  /** Takes a line that may wait a little. */
  writeLater?(line: string): void;
}

/** Every line of the log goes through here, so that no API key gets into the log. */
export class LogOutput implements DestinationStream {
  constructor(private readonly destination: LogDestination) {}

  /** The output of a logger that {@link createLogger} made, for lines that are made elsewhere. */
  static of(logger: Logger): LogOutput {
    const stream = (logger as unknown as Record<symbol, unknown>)[symbols.streamSym];
    if (!(stream instanceof LogOutput)) throw new Error('This logger was not made by createLogger.');
    return stream;
  }

  write(line: string): void {
    this.destination.write(redactTokens(line));
  }

  /** Writes a line that may wait a little, as those of requests. */
  writeLater(line: string): void {
    const text = redactTokens(line);
    if (this.destination.writeLater) this.destination.writeLater(text);
    else this.destination.write(text);
  }
}
