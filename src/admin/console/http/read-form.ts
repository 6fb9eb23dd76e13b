import type { Request, RequestHandler, Response } from 'express';
import multer, { memoryStorage, MulterError } from 'multer';
import { allowContinue } from '../../../platform/http/connections/wire-errors';
import { PayloadTooLargeError } from '../../../platform/errors/http-errors';
import { receiveUpTo } from '../../../platform/http/request/body-reader';
import { FormTooLargeError, NotAFormError, UnreadableFormError } from '../console.errors';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const UPLOAD_TYPE = 'multipart/form-data';

/** Limits of a form without files. */
interface FormLimits {
  readonly bytes: number;
  readonly fields: number;
}

/** Limits of a form that is sent in a session. */
const OF_OPERATORS: FormLimits = { bytes: 1_048_576, fields: 1_000 };
/** Limits of a form that anybody may send. */
const OF_STRANGERS: FormLimits = { bytes: 16_384, fields: 100 };

/** Size limit of an uploaded file, in bytes. */
export const MAX_FILE_BYTES = 2 * OF_OPERATORS.bytes;
const uploadReader: RequestHandler = multer({
  storage: memoryStorage(),
  defParamCharset: 'utf8',
  // A file that was previewed comes back in a field, in base64, which is a third longer.
  limits: {
    fileSize: MAX_FILE_BYTES,
    files: 1,
    fieldSize: 1.5 * MAX_FILE_BYTES,
    fields: 8,
    // Fields of the console have plain names: `a[4294967290]` would make an array of that length.
    fieldNestingDepth: 0,
  },
}).any();

/** A file that a person chose in a form. */
export interface Upload {
  readonly name: string;
  readonly bytes: Buffer;
}

/** A file of more than {@link MAX_FILE_BYTES}, of which nothing is kept, nor of the fields that follow it in the form. */
export const TOO_LARGE = 'too large';

/** The contents of a form. */
export interface ReadForm {
  /** Its fields, in order; a name may occur more than once. */
  readonly fields: URLSearchParams;
  readonly upload?: Upload | typeof TOO_LARGE | undefined;
}

/** True if a form comes with files. */
export function isUpload(request: Request): boolean {
  return typeof request.is(UPLOAD_TYPE) === 'string';
}

/**
 * Reads the form of a request in a session, which may come with a file.
 *
 * @throws AppError if the body is not a form, or too large
 */
export async function readForm(request: Request, response: Response): Promise<ReadForm> {
  if (!isUpload(request)) return { fields: await readFields(request, response, OF_OPERATORS) };
  const isWhole = await readUpload(request, response);
  return uploadOf(request, isWhole);
}

/**
 * Reads the form of a request that anybody may have sent. To be called once the request is counted.
 *
 * @throws AppError if the body is not a form, or too large; then nothing of it was read, or {@link OF_STRANGERS} at most
 */
export function readFormOfStranger(request: Request, response: Response): Promise<URLSearchParams> {
  return readFields(request, response, OF_STRANGERS);
}

async function readFields(
  request: Request,
  response: Response,
  { bytes, fields }: FormLimits,
): Promise<URLSearchParams> {
  if (!request.is(FORM_TYPE) || request.headers['content-encoding'] !== undefined) {
    // A form without a field has no body, and htmx then names no media type.
    if (request.get('content-length') === '0') return new URLSearchParams();
    throw new NotAFormError();
  }
  const text = await receiveText(request, response, bytes);
  // Node's parser takes quadratic time for names without a value.
  if (text.split('&', fields + 1).length > fields) throw new FormTooLargeError();
  return new URLSearchParams(text);
}

async function receiveText(request: Request, response: Response, most: number): Promise<string> {
  const headers = { Connection: 'close' };
  try {
    return (await receiveUpTo(most, request, response)).toString();
  } catch (error) {
    const isLarge = error instanceof PayloadTooLargeError;
    throw isLarge ? new FormTooLargeError({ headers }) : new UnreadableFormError({ headers });
  }
}

/** @returns false if a file is too large, and the rest of the body was discarded */
async function readUpload(request: Request, response: Response): Promise<boolean> {
  allowContinue(request, response);
  const headers = { Connection: 'close' };
  return new Promise<boolean>((resolve, reject) => {
    void uploadReader(request, response, (fault?: unknown) => {
      if (!fault) return resolve(true);
      const code: string | undefined = fault instanceof MulterError ? fault.code : undefined;
      if (code === 'LIMIT_FILE_SIZE') return resolve(false);
      const isLarge = code !== undefined && code !== 'LIMIT_FIELD_NESTING';
      reject(isLarge ? new FormTooLargeError({ headers }) : new UnreadableFormError({ headers }));
    });
  });
}

function uploadOf({ body, files }: Request, isWhole: boolean): ReadForm {
  const fields = new URLSearchParams();
  for (const [name, values] of Object.entries((body ?? {}) as Record<string, string | string[]>)) {
    for (const value of [values].flat()) fields.append(name, value);
  }
  if (!isWhole) return { fields, upload: TOO_LARGE };
  const [file] = files as Express.Multer.File[];
  // If no file was chosen in a field, browsers send an empty one without a name.
  const upload =
    file && file.originalname !== '' ? { name: file.originalname, bytes: file.buffer } : undefined;
  return { fields, upload };
}
