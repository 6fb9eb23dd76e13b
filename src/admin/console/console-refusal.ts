import { AppError } from '../../platform/errors/app-error';

/** A request of a browser that the console does not carry out; shown as a page with the sentence. */
export class ConsoleRefusal extends AppError {
  readonly code = 'console_refusal';

  constructor(
    readonly status: number,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}
