import { ApiSchema, IntersectionType } from '@nestjs/swagger';
import { Int64Field } from '@petstore/platform';
import { NewPetDto } from './new-pet.dto';

class PetIdentity {
  @Int64Field({ description: 'Unique identifier, assigned by the service on creation.', example: 1 })
  id!: bigint;
}

/** An animal as the service returns it. */
@ApiSchema({ name: 'Pet', description: 'An animal of the store.' })
export class PetDto extends IntersectionType(PetIdentity, NewPetDto) {}
