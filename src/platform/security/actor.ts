import { AsyncLocalStorage } from 'node:async_hooks';

/** Person, key or program that makes a change, with the place the change comes from. */
export interface Actor {
  /**
   * `key_…` for an API key, `oidc:<subject>` for a person who signed in by OIDC, `cli:<user of the operating system>`, or
   * `service` for the service itself.
   */
  readonly name: string;
  /** Name of the person, as the OIDC provider tells it. */
  readonly personName?: string | undefined;
  readonly requestId?: string;
  readonly address?: string;
}

/** Actor of changes that the service makes on its own account. */
const SERVICE: Actor = { name: 'service' };

const actors = new AsyncLocalStorage<Actor>();

/** Does work for an actor: every change in the work is recorded as the actor's. */
export function actingAs<T>(actor: Actor, work: () => T): T {
  return actors.run(actor, work);
}

/** Returns the actor of the work in progress; the service itself unless {@link actingAs} set another. */
export function currentActor(): Actor {
  return actors.getStore() ?? SERVICE;
}
