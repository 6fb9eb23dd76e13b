import { text } from 'express';
import type { Request, Response } from 'express';
import { allowContinue } from '../../platform/http/connections/wire-errors';
import { ConsoleRefusal } from './console-refusal';

const MEDIA_TYPE = 'application/x-www-form-urlencoded';
const MAX_BYTES = 1_048_576;

const reader = text({ type: MEDIA_TYPE, limit: MAX_BYTES, defaultCharset: 'utf-8' });

/**
 * Reads the form a browser sends; its fields may come more than once.
 *
 * @throws ConsoleRefusal when the body is no form, or larger than 1 MiB
 */
export async function readForm(request: Request, response: Response): Promise<URLSearchParams> {
  if (!request.is(MEDIA_TYPE)) {
    // A form without a field has no body, and htmx then names no media type.
    if (request.get('content-length') === '0') return new URLSearchParams();
    throw new ConsoleRefusal(415, 'The console takes forms only.');
  }
  allowContinue(request, response);
  await new Promise<void>((resolve, reject) => {
    reader(request, response, (fault?: { status?: number }) => {
      if (!fault) return resolve();
      const isLarge = fault.status === 413;
      reject(
        isLarge
          ? new ConsoleRefusal(413, 'What was sent is larger than 1 MiB.', { Connection: 'close' })
          : new ConsoleRefusal(400, 'The form could not be read.', { Connection: 'close' }),
      );
    });
  });
  return new URLSearchParams(typeof request.body === 'string' ? request.body : '');
}
