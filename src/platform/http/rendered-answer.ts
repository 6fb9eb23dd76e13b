import type { AppError } from '../errors/app-error';

/** An answer whose bytes are decided: what an operation answered, or answered before. */
export class RenderedAnswer {
  constructor(
    readonly status: number,
    readonly body: string,
    /** The Location field. */
    readonly location: string | null,
    /** Whether an earlier request was answered with it. */
    readonly isReplayed = false,
  ) {}

  static ofError(error: AppError): RenderedAnswer {
    return new RenderedAnswer(error.status, JSON.stringify(error.toBody()), null);
  }
}
