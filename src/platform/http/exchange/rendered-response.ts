import type { AppError, ErrorBody } from '../../errors/app-error';

/** A response whose bytes are decided: that of an operation, now or to an earlier request. */
export class RenderedResponse {
  constructor(
    readonly status: number,
    readonly body: string,
    /** The Location field. */
    readonly location: string | null,
    /** True if it is the response to an earlier request. */
    readonly isReplayed = false,
  ) {}

  /** The error that this response carries, if any. */
  get error(): ErrorBody | undefined {
    return this.status < 400 ? undefined : (JSON.parse(this.body) as ErrorBody);
  }

  static ofError(error: AppError): RenderedResponse {
    return new RenderedResponse(error.status, JSON.stringify(error.toBody()), null);
  }
}
