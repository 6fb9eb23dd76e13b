// Decorators of the folders above note under these keys what the registry reads of an operation.

/** Set by `@OnManagementPort()` to the listener. */
export const LISTENER_METADATA = 'petstore:listener';

/** Set by `@Once()` to true. */
export const ONCE_METADATA = 'petstore:once';

/** Set by `@CacheResponse()` to true. */
export const CACHED_METADATA = 'petstore:snapshot';
