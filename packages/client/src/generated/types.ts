// Written by `npm run artefacts` from docs/openapi.json.

/** The codes of errors. New ones may be added: treat one that you do not know by its status. */
export type PetstoreErrorCode =
  | 'address_not_allowed'
  | 'bad_request'
  | 'idempotency_in_progress'
  | 'idempotency_key_reused'
  | 'insufficient_scope'
  | 'internal_error'
  | 'invalid_api_key'
  | 'invalid_body'
  | 'invalid_cursor'
  | 'invalid_field'
  | 'invalid_idempotency_key'
  | 'invalid_json'
  | 'invalid_parameter'
  | 'invalid_request'
  | 'not_acceptable'
  | 'operation_brownout'
  | 'operation_removed'
  | 'overloaded'
  | 'payload_too_large'
  | 'pet_not_found'
  | 'rate_limited'
  | 'request_timeout'
  | 'service_unavailable'
  | 'unauthorized'
  | 'unknown_parameter'
  | 'unsupported_media_type'
  | 'network_error'
  | 'timeout'
  | 'unexpected_response'
  | (string & {});

/** An animal to add. */
export interface NewPet {
  /** The animal's name. */
  name: string;
  /** Identifier of the category the animal belongs to. */
  categoryId: bigint;
  status?: PetStatus | undefined;
}

/** An animal of the store. */
export interface Pet {
  /** Unique identifier, assigned by the service on creation. */
  id: bigint;
  /** The animal's name. */
  name: string;
  /** Identifier of the category the animal belongs to. */
  categoryId: bigint;
  status?: PetStatus | undefined;
}

/** Availability status of the animal. */
export type PetStatus = 'available' | 'pending' | 'sold';

/** One page of animals. */
export type Pets = Pet[];

/** What {@link PetstoreClient.listPets} can be asked for. */
export interface ListPetsQuery {
  /** Maximum number of items to return. */
  limit?: number | undefined;
  /** Where to continue: taken from the `next` target of the Link header, together with the same filters. */
  cursor?: string | undefined;
  /** Keeps only animals with this status. */
  status?: PetStatus | undefined;
}
