/** An error the client is told about: `{code, message, status}`. */
export class HttpError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

/** Express error handler: one JSON shape for every failure. */
export function handleError(error, req, res, next) {
  if (res.headersSent) {
    next(error);
    return;
  }
  const status = error.status ?? 500;
  if (status === 401) res.set('WWW-Authenticate', 'Bearer realm="petstore"');
  const code = error instanceof HttpError ? error.code : status < 500 ? 'bad_request' : 'internal_error';
  const message = status < 500 ? error.message : 'Something went wrong.';
  res.status(status).json({ code, message, status });
}
