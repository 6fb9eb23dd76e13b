import type { NewApiKey } from './dto/new-api-key';

/** What is asked of an API key cannot be done as things are; the message is for the operator. */
export class ApiKeyRefusal extends Error {}

/** What an API key is to be made from does not fit. */
export class UnfitApiKey extends ApiKeyRefusal {
  /** @param field which part of it */
  constructor(
    readonly field: keyof NewApiKey,
    message: string,
  ) {
    super(message);
  }
}

/** After this no key could manage keys in the console; it has to be meant. */
export class LastManagingKey extends ApiKeyRefusal {
  constructor(id: string) {
    super(
      `The API key ${id} is the last active key that may manage keys in the console; after that only "petstore keys create" where the service runs can make another.`,
    );
  }
}

/** No key has this id. */
export class ApiKeyNotFound extends Error {
  constructor(id: string) {
    super(`There is no API key ${id}.`);
  }
}
