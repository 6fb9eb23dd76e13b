// Written by `npm run artefacts` from docs/openapi.json.

import type { Call } from '../call.ts';
import type { List } from '../list.ts';
import type { CallOptions, ClientOptions, ConditionalOptions, CreationOptions } from '../options.ts';
import { Requests } from '../requests.ts';
import type * as types from './types.ts';

/** A client of the petstore service, with a method for each operation. */
export class PetstoreClient {
  readonly #requests: Requests;

  constructor(options: ClientOptions) {
    this.#requests = new Requests(options, '/v1', {
      NewPet: { categoryId: true },
      Pet: { id: true, categoryId: true },
      Pets: ['Pet'],
    });
  }

  /**
   * List animals.
   * Lists animals in ascending order of `id`, a page at a time. While there is more, the `Link` header names the next page.
   */
  listPets(query?: types.ListPetsQuery, options?: CallOptions): List<types.Pet> {
    return this.#requests.list<types.Pet>({
      name: 'listPets',
      method: 'GET',
      path: `/pets`,
      query,
      options,
      shape: 'Pets',
    });
  }

  /**
   * Add an animal.
   * Adds an animal; the service assigns its `id`.
   */
  createPet(body: types.NewPet, options?: CreationOptions): Call<types.Pet> {
    return this.#requests.call<types.Pet>({
      name: 'createPet',
      method: 'POST',
      path: `/pets`,
      body,
      options,
      shape: 'Pet',
      isIdempotent: true,
    });
  }

  /**
   * Get an animal.
   * @deprecated Returns one animal. Deprecated since 5 December 2025. It is to be removed on 5 December 2030. Use `GET /pets` with the `status` filter instead. [More on this](/docs/guide#getPet)
   */
  getPet(petId: bigint, options?: CallOptions & { readonly ifNoneMatch?: undefined }): Call<types.Pet>;
  /**
   * Get an animal.
   * @deprecated Returns one animal. Deprecated since 5 December 2025. It is to be removed on 5 December 2030. Use `GET /pets` with the `status` filter instead. [More on this](/docs/guide#getPet)
   */
  getPet(petId: bigint, options: ConditionalOptions): Call<types.Pet | undefined>;
  getPet(petId: bigint, options?: CallOptions & Partial<ConditionalOptions>): Call<types.Pet> {
    return this.#requests.call<types.Pet>({
      name: 'getPet',
      method: 'GET',
      path: `/pets/${petId}`,
      numbers: { petId },
      options,
      shape: 'Pet',
    });
  }
}
