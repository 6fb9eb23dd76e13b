import type { Type } from '@nestjs/common';
import type { DiscoveryService, MetadataScanner, Reflector } from '@nestjs/core';
import { PUBLIC_METADATA, REQUIRED_SCOPES_METADATA } from '../../security/access.decorators';

/** Metadata by which the packages of Nest know methods that take messages, queries and events. */
const HANDLER_METADATA = [
  'websockets:message_mapping',
  'graphql:resolver_type',
  'microservices:handler_type',
];

/**
 * Returns the scopes that gateways, resolvers and other handlers of messages require.
 *
 * @throws Error naming a handler that does not say who may use it
 */
export function messageScopes(
  discovery: DiscoveryService,
  scanner: MetadataScanner,
  reflector: Reflector,
): string[] {
  const classes = [...discovery.getProviders(), ...discovery.getControllers()].map(
    ({ metatype }) => metatype as Type | null | undefined,
  );
  return [...new Set(classes)].flatMap((owner) => {
    const prototype = owner?.prototype as Record<string, () => unknown> | undefined;
    if (!owner || !prototype) return [];
    return scanner.getAllMethodNames(prototype).flatMap((name) => {
      const handler = prototype[name];
      if (!handler || !HANDLER_METADATA.some((key) => Reflect.hasMetadata(key, handler))) return [];
      const targets = [handler, owner];
      const isPublic = reflector.getAllAndOverride<true | undefined>(PUBLIC_METADATA, targets) ?? false;
      const scopes =
        reflector.getAllAndOverride<string[] | undefined>(REQUIRED_SCOPES_METADATA, targets) ?? [];
      if (isPublic !== scopes.length > 0) return scopes;
      throw new Error(
        `${owner.name}.${name} must have either @Public() or @RequireScopes(...): messages are refused unless their handler says who may send them.`,
      );
    });
  });
}
