import { forAllOwners } from '../../platform/security/owner';

/** The service of a module as operators have it: its methods see and change the records of all owners. */
export function forOperators<Service extends object>(service: Service): Service {
  return new Proxy(service, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== 'function') return member;
      return (...values: unknown[]): unknown =>
        forAllOwners(() => Reflect.apply(member, target, values) as unknown);
    },
  });
}
