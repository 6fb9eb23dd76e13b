import { EnumParameter, PageQuery } from '@petstore/platform';
import { PetStatus } from '../pet-status';

/** Query of listPets. */
export class ListPetsQuery extends PageQuery {
  @EnumParameter(PetStatus, 'PetStatus', { description: 'Keeps only animals with this status.' })
  status?: PetStatus;
}
