import type { Server } from 'node:http';
import type { Request } from 'express';
import type { KeyView } from '../../../auth/dto/key-view';
import type { Settings } from '../../../platform/config/settings';
import type { Operation } from '../../../platform/http/operations/operation';
import { BASE_PATH } from '../../../platform/values/operation-path';

/**
 * The curl of a first call with a key: of an operation that only reads and needs no id; undefined if the key may call none.
 *
 * @param origin the origin of the public port
 */
export function firstCall(
  { scopes }: Pick<KeyView, 'scopes'>,
  operations: readonly Operation[],
  origin: string,
): string | undefined {
  const found = operations.find(
    ({ method, listener, isDocumented, isPublic, deprecation, path, scopes: needed }) =>
      method === 'GET' &&
      listener === 'public' &&
      isDocumented &&
      !isPublic &&
      !deprecation &&
      !path.includes(':') &&
      needed.every((scope) => scopes.includes(scope)),
  );
  return found && `curl ${origin}${found.template} \\\n  -H "Authorization: Bearer $PETSTORE_API_KEY"`;
}

/** The origin of the public port: the configured one, else that port on the host at which the console was called. */
export function publicOrigin({ hostname }: Request, { publicBaseUrl }: Settings, server: Server): string {
  if (publicBaseUrl) return publicBaseUrl.slice(0, -BASE_PATH.length);
  const address = server.address();
  return `http://${hostname}${address && typeof address === 'object' ? `:${address.port}` : ''}`;
}
