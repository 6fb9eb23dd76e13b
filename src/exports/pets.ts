/* Exports of pets for modules in repositories of their own, as `@petstore/platform/pets`. */
export { PetsModule } from '../pets/pets.module';
export { PetsService } from '../pets/pets.service';
export { PetNotFoundError } from '../pets/pets.errors';
export { PetCreated, PetDeleted, PetRestored, PetUpdated } from '../pets/pets.events';
export { ListPetsQuery } from '../pets/dto/list-pets.query';
export { NewPetDto } from '../pets/dto/new-pet.dto';
export { PetDto } from '../pets/dto/pet.dto';
export { PetPatchDto } from '../pets/dto/pet-patch.dto';
