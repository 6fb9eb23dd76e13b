import { type Request, type Response, text } from 'express';
import { allowContinue } from '../../platform/http/connections/wire-errors';
import { FormTooLargeError, NotAFormError, UnreadableFormError } from './console.errors';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const MAX_FORM_BYTES = 1_048_576;
const formReader = text({ type: FORM_TYPE, limit: MAX_FORM_BYTES, defaultCharset: 'utf-8' });

/**
 * Reads the form of a request; its fields may come more than once.
 *
 * @throws AppError when the body is no form, or larger than 1 MiB
 */
export async function readForm(request: Request, response: Response): Promise<URLSearchParams> {
  if (!request.is(FORM_TYPE)) {
    // A form without a field has no body, and htmx then names no media type.
    if (request.get('content-length') === '0') return new URLSearchParams();
    throw new NotAFormError();
  }
  allowContinue(request, response);
  await new Promise<void>((resolve, reject) => {
    formReader(request, response, (fault?: { status?: number }) => {
      if (!fault) return resolve();
      const isLarge = fault.status === 413;
      reject(
        isLarge
          ? new FormTooLargeError({ headers: { Connection: 'close' } })
          : new UnreadableFormError({ headers: { Connection: 'close' } }),
      );
    });
  });
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '');
}
