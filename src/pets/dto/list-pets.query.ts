import { PageQuery } from '../../platform/http/request/page-query';
import { EnumParameter } from '../../platform/validation/parameters';
import { PetStatus } from '../pet-status';

/** Query of listPets. */
export class ListPetsQuery extends PageQuery {
  @EnumParameter(PetStatus, 'PetStatus', { description: 'Keeps only animals with this status.' })
  status?: PetStatus;
}
