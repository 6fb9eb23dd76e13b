import { type Request, type RequestHandler, type Response, text } from 'express';
import multer, { memoryStorage, MulterError } from 'multer';
import { allowContinue } from '../../../platform/http/connections/wire-errors';
import { FormTooLargeError, NotAFormError, UnreadableFormError } from '../console.errors';

const FORM_TYPE = 'application/x-www-form-urlencoded';
const UPLOAD_TYPE = 'multipart/form-data';
const MAX_FORM_BYTES = 1_048_576;
/** Size limit of an uploaded file, in bytes. */
export const MAX_FILE_BYTES = 2 * MAX_FORM_BYTES;
const formReader = text({ type: FORM_TYPE, limit: MAX_FORM_BYTES, defaultCharset: 'utf-8' });
const uploadReader = multer({
  storage: memoryStorage(),
  defParamCharset: 'utf8',
  // A file that was previewed comes back in a field, in base64, which is a third longer.
  limits: { fileSize: MAX_FILE_BYTES, files: 1, fieldSize: 1.5 * MAX_FILE_BYTES, fields: 8 },
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
 * Reads the form of a request.
 *
 * @param takesUploads true if the form may come with a file, which has a larger limit
 * @throws AppError if the body is not a form, or too large
 */
export async function readForm(
  request: Request,
  response: Response,
  takesUploads = false,
): Promise<ReadForm> {
  if (takesUploads && isUpload(request)) {
    const isWhole = await readBody(uploadReader, request, response);
    return uploadOf(request, isWhole);
  }
  if (!request.is(FORM_TYPE)) {
    // A form without a field has no body, and htmx then names no media type.
    if (request.get('content-length') === '0') return { fields: new URLSearchParams() };
    throw new NotAFormError();
  }
  await readBody(formReader, request, response);
  return { fields: new URLSearchParams(typeof request.body === 'string' ? request.body : '') };
}

/** @returns false if a file is too large, and the rest of the body was discarded */
async function readBody(reader: RequestHandler, request: Request, response: Response): Promise<boolean> {
  allowContinue(request, response);
  const headers = { Connection: 'close' };
  return new Promise<boolean>((resolve, reject) => {
    reader(request, response, (fault?: unknown) => {
      if (!fault) return resolve(true);
      if (fault instanceof MulterError && fault.code === 'LIMIT_FILE_SIZE') return resolve(false);
      const isLarge = fault instanceof MulterError || (fault as { status?: number }).status === 413;
      reject(isLarge ? new FormTooLargeError({ headers }) : new UnreadableFormError({ headers }));
    });
  });
}

function uploadOf({ body, files }: Request, isWhole: boolean): ReadForm {
  const fields = new URLSearchParams();
  for (const [name, values] of Object.entries((body ?? {}) as Record<string, unknown>)) {
    for (const value of [values].flat()) if (typeof value === 'string') fields.append(name, value);
  }
  if (!isWhole) return { fields, upload: TOO_LARGE };
  const [file] = files as Express.Multer.File[];
  // If no file was chosen in a field, browsers send an empty one without a name.
  const upload =
    file && file.originalname !== '' ? { name: file.originalname, bytes: file.buffer } : undefined;
  return { fields, upload };
}
