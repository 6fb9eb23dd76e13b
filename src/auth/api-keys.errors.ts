import { defineError } from '../platform/errors/app-error';
import type { NewApiKey } from './dto/new-api-key';

/** The state of an API key does not allow the change. */
export const ApiKeyRefusedError = defineError({
  code: 'api_key_refused',
  status: 409,
  message: 'This cannot be done with the API key in its present state.',
});

/** A value for a new or changed API key is not acceptable. */
export class UnfitApiKeyError extends defineError({
  code: 'unfit_api_key',
  status: 422,
  message: 'The API key is not valid.',
}) {
  /** @param field the member with that value */
  constructor(field: keyof NewApiKey, message: string) {
    super({ message, faults: [{ field, message }] });
  }
}

/** After this change no key could manage keys in the console; the caller has to confirm it. */
export class LastManagingKeyError extends defineError({
  code: 'last_managing_key',
  status: 409,
  message: 'The API key is the last active one that may manage keys in the console.',
}) {
  constructor(id: string) {
    super(
      `The API key ${id} is the last active key that may manage keys in the console. Without this key, only the command line on the machine of the service can create another.`,
    );
  }
}

/** No key has this id. */
export class ApiKeyNotFoundError extends defineError({
  code: 'api_key_not_found',
  status: 404,
  message: 'There is no such API key.',
}) {
  constructor(id: string) {
    super(`There is no API key ${id}.`);
  }
}
