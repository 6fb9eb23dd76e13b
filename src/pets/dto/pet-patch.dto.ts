import { ApiSchema } from '@nestjs/swagger';
import { MergePatchType } from '@petstore/platform';
import { NewPetDto } from './new-pet.dto';

/** Members of a pet that can be changed. */
@ApiSchema({ name: 'PetPatch', description: 'Changes to a pet, as a JSON Merge Patch.' })
export class PetPatchDto extends MergePatchType(NewPetDto) {}
