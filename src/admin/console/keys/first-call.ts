import type { Server } from 'node:http';
import type { Request } from 'express';
import type { KeyView } from '../../../auth/dto/key-view';
import type { Operation } from '../../../platform/http/operations/operation';
import type { ServiceAddress } from '../../../platform/values/service-address';

/**
 * The curl of a first call with a key: of an operation that only reads and needs no id; undefined if the key may call none.
 *
 * @param root with which the addresses of the public port begin
 */
export function firstCall(
  { scopes }: Pick<KeyView, 'scopes'>,
  operations: readonly Operation[],
  root: string,
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
  return found && `curl ${root}${found.template} \\\n  -H "Authorization: Bearer $PETSTORE_API_KEY"`;
}

/** The root of the public port: the configured one, else that port on the host at which the console was called. */
export function publicRoot({ hostname }: Request, { root }: ServiceAddress, server: Server): string {
  if (root) return root;
  const address = server.address();
  return `http://${hostname}${address && typeof address === 'object' ? `:${address.port}` : ''}`;
}
