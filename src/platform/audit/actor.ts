import { AsyncLocalStorage } from 'node:async_hooks';

/** Who makes a change, and from where. */
export interface Actor {
  /**
   * `key_…` for an API key, `oidc:<subject>` for a person who signed in by OIDC, `cli:<user of the operating system>`, or `service`
   * for the service itself.
   */
  readonly name: string;
  /** What a person is called, as the OIDC provider tells it. */
  readonly personName?: string | undefined;
  readonly requestId?: string;
  readonly address?: string;
}

/** What the service does on its own account. */
const SERVICE: Actor = { name: 'service' };

const actors = new AsyncLocalStorage<Actor>();

/** Does work for an actor: every change in it is recorded as the actor's. */
export function actingAs<T>(actor: Actor, work: () => T): T {
  return actors.run(actor, work);
}

/** On whose account the work in progress is done. */
export function currentActor(): Actor {
  return actors.getStore() ?? SERVICE;
}
