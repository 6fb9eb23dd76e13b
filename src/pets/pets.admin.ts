import { adminRecords } from '@petstore/platform';
import { NewPetDto } from './dto/new-pet.dto';
import { PetPatchDto } from './dto/pet-patch.dto';
import { PetDto } from './dto/pet.dto';
import { Pet } from './pet.entity';
import { PetsService } from './pets.service';

/** The records of pets in the admin tooling. */
export const PETS_ADMIN = adminRecords({
  name: 'pets',
  one: 'pet',
  icon: 'paw',
  entity: Pet,
  record: PetDto,
  title: 'name',
  creation: NewPetDto,
  patch: PetPatchDto,
  service: PetsService,
});
