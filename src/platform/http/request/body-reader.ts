import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  InvalidJsonError,
  InvalidRequestError,
  PayloadTooLargeError,
  UnsupportedMediaTypeError,
} from '../../errors/http-errors';
import { allowContinue } from '../connections/wire-errors';
import { FORM_MEDIA_TYPE } from '../operations/media-types';
import { isRepeated } from './repeated-field';

/** Largest body that is read, in bytes. */
const MAX_BODY_BYTES = 102_400;

/** Limits of a form, all of which is in memory at once, where its interceptor says nothing else. */
export const FORM_LIMITS = { fileSize: 1_048_576, files: 10, fieldSize: MAX_BODY_BYTES, fields: 100 };

/** A media type with no parameter but an optional charset, which must be UTF-8 (RFC 8259, section 8.1). */
const IN_UTF8 = /^([\w/+-]+)[ \t]*(;[ \t]*(charset=("utf-8"|utf-8)[ \t]*)?)*$/i;

/** The media type of a request's body in small letters, without its parameters. */
export function mediaTypeOf({ headers }: IncomingMessage): string {
  return (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
}

/**
 * Receives the body of a request.
 *
 * @param accepted media types that the body may have; JSON is to be in UTF-8 (see `readJson`)
 * @throws InvalidRequestError, UnsupportedMediaTypeError, PayloadTooLargeError or InvalidJsonError
 */
export function receiveBody(
  request: IncomingMessage,
  response: ServerResponse,
  accepted: readonly string[],
): Promise<Buffer> {
  assertOneType(request);
  const { headers } = request;
  const declared = headers['content-length'];
  if (headers['transfer-encoding'] === undefined && (declared === undefined || Number(declared) === 0)) {
    throw new InvalidJsonError();
  }
  const mediaType = mediaTypeOf(request);
  const isReadable = !isJson(mediaType) || IN_UTF8.test(headers['content-type'] ?? '');
  if (!accepted.includes(mediaType) || !isReadable || isEncoded(headers['content-encoding'])) {
    throw new UnsupportedMediaTypeError({ headers: { Accept: accepted.join(', ') } });
  }
  return receiveUpTo(MAX_BODY_BYTES, request, response);
}

/**
 * Receives a body of any media type.
 *
 * @param most bytes that the body may have; of a longer one no byte more is read
 * @throws PayloadTooLargeError, or InvalidJsonError if the body breaks off
 */
export function receiveUpTo(
  most: number,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > most) throw new PayloadTooLargeError();
  allowContinue(request, response);
  return collect(request, most);
}

/**
 * Lets a form come in, for an interceptor to read.
 *
 * @throws InvalidRequestError; UnsupportedMediaTypeError for anything else, which interceptors let pass unread
 */
export function admitForm(request: IncomingMessage, response: ServerResponse): void {
  assertOneType(request);
  if (mediaTypeOf(request) !== FORM_MEDIA_TYPE || isEncoded(request.headers['content-encoding'])) {
    throw new UnsupportedMediaTypeError({
      message: `The body must be ${FORM_MEDIA_TYPE}.`,
      headers: { Accept: FORM_MEDIA_TYPE },
    });
  }
  allowContinue(request, response);
}

/** Of two media types a proxy might judge the body by the other. */
function assertOneType(request: IncomingMessage): void {
  if (isRepeated(request, 'content-type')) throw new InvalidRequestError();
}

function isJson(mediaType: string): boolean {
  return mediaType.endsWith('json');
}

function isEncoded(contentEncoding: string | undefined): boolean {
  return contentEncoding !== undefined && !/^[ \t]*(identity)?[ \t]*$/i.test(contentEncoding);
}

function collect(request: IncomingMessage, most: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  return new Promise((resolve, reject) => {
    const onData = (chunk: Buffer) => {
      size += chunk.length;
      if (size <= most) {
        chunks.push(chunk);
        return;
      }
      request.off('data', onData);
      reject(new PayloadTooLargeError());
    };
    request.on('data', onData);
    // The body broke off: the client is gone, or has its response from the wire already. No client reads this one.
    const onBreak = () => reject(new InvalidJsonError());
    request.on('end', () => {
      request.off('close', onBreak);
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    });
    request.on('error', onBreak);
    request.on('close', onBreak);
  });
}
