import type { PetDto } from './dto/pet.dto';

/*
 * Events that other features can handle with `@OnEvent()`. Handlers for which events are stored get the events of one subject
 * in their order.
 */

/** A pet was added. */
export class PetCreated {
  readonly subject = `pets/${this.pet.id}`;

  constructor(readonly pet: PetDto) {}
}

/** A pet was changed. */
export class PetUpdated {
  readonly subject = `pets/${this.pet.id}`;

  constructor(readonly pet: PetDto) {}
}

/** A pet was removed; it may be restored. */
export class PetDeleted {
  readonly subject = `pets/${this.petId}`;

  constructor(readonly petId: bigint) {}
}

/** A removed pet was brought back. */
export class PetRestored {
  readonly subject = `pets/${this.pet.id}`;

  constructor(readonly pet: PetDto) {}
}
