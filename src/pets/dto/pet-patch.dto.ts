import { ApiSchema } from '@nestjs/swagger';
import { MergePatchType } from '../../platform/validation/merge-patch';
import { NewPetDto } from './new-pet.dto';

/** What can be changed of a pet. */
@ApiSchema({ name: 'PetPatch', description: 'Changes to a pet, as a JSON Merge Patch.' })
export class PetPatchDto extends MergePatchType(NewPetDto) {}
