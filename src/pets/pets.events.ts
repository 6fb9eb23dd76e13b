import type { PetDto } from './dto/pet.dto';

/** A pet was added. */
export class PetCreated {
  constructor(readonly pet: PetDto) {}
}

/** A pet was changed. */
export class PetUpdated {
  constructor(readonly pet: PetDto) {}
}

/** A pet was removed; it may be restored. */
export class PetDeleted {
  constructor(readonly petId: bigint) {}
}

/** A removed pet was brought back. */
export class PetRestored {
  constructor(readonly pet: PetDto) {}
}
