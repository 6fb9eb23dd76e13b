import { ApiSchema } from '@nestjs/swagger';
import { EnumField, Int64Field, StringField } from '@petstore/platform';
import { PetStatus } from '../pet-status';

/** Body of createPet. */
@ApiSchema({ name: 'NewPet', description: 'An animal to add.' })
export class NewPetDto {
  @StringField({ description: "The animal's name.", example: 'Rex' })
  name!: string;

  @Int64Field({ description: 'Identifier of the category the animal belongs to.', example: 3 })
  categoryId!: bigint;

  @EnumField(PetStatus, 'PetStatus', {
    description: 'Availability status of the animal.',
    example: PetStatus.Available,
    optional: true,
  })
  status?: PetStatus;
}
