/** A command about API keys that cannot be carried out; the message is for the operator. */
export class ApiKeyRefusal extends Error {}

/** No key has this id. */
export class ApiKeyNotFound extends Error {
  constructor(id: string) {
    super(`There is no API key ${id}.`);
  }
}
