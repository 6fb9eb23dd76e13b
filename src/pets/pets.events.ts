import type { PetDto } from './dto/pet.dto';

/** A pet was added. */
export class PetCreated {
  constructor(readonly pet: PetDto) {}
}
