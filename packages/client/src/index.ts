export { PetstoreClient } from './generated/petstore-client.ts';
export type * from './generated/types.ts';
export type { Call, ClientResponse } from './call.ts';
export type { List, Page } from './list.ts';
export type {
  CallOptions,
  ChangeOptions,
  ClientOptions,
  ConditionalOptions,
  CreationOptions,
  DeprecationNotice,
  WaitNotice,
} from './options.ts';
export { PetstoreError } from './petstore-error.ts';
