/** An error the client is told about: `{code, message, status}`. */
export class HttpError extends Error {
  constructor(status, code, message) {
    super(message);
    this.status = status;
    this.code = code;
  }
}

export const petNotFound = () => new HttpError(404, 'pet_not_found', 'There is no such pet.');

/** Fastify error handler: one JSON shape for every failure. */
export function handleError(error, request, reply) {
  // An id that is no id is the id of no pet.
  const known = error.validationContext === 'params' ? petNotFound() : error;
  const status = known.status ?? known.statusCode ?? 500;
  if (status === 401) reply.header('www-authenticate', 'Bearer realm="petstore"');
  const code = known instanceof HttpError ? known.code : status < 500 ? 'bad_request' : 'internal_error';
  const message = status < 500 ? known.message : 'Something went wrong.';
  reply.code(status).send({ code, message, status });
}
