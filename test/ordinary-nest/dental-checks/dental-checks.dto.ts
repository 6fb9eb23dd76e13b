import { ApiSchema, IntersectionType } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { DateField, Int64Field, ReferenceField, StringField } from '../../../src/platform/validation/fields';
import { MergePatchType } from '../../../src/platform/validation/merge-patch';

/** Body of createDentalCheck. */
@ApiSchema({ name: 'NewDentalCheck', description: 'A dental check to note.' })
export class NewDentalCheckDto {
  @StringField({ description: 'Number of the certificate; no two have the same.', example: 'DE-2026' })
  @Matches(/^[A-Z]{2}-[0-9]{4,12}$/, {
    message: 'certificate must be two letters, a dash and 4 to 12 digits.',
  })
  certificate!: string;

  @DateField({ description: 'The day it was given.', example: '2026-01-31' })
  givenOn!: string;

  @DateField({ description: 'The day of the next one, after it.', example: '2026-01-31', optional: true })
  dueOn?: string;

  @ReferenceField('/pets', {
    description: 'The pet that came along: the `id` of one of the pets.',
    example: 1,
    optional: true,
  })
  companionId?: bigint;
}

/** Body of updateDentalCheck. */
@ApiSchema({
  name: 'DentalCheckPatch',
  description: 'Changes to a dental check, as a JSON Merge Patch.',
})
export class DentalCheckPatchDto extends MergePatchType(NewDentalCheckDto) {}

class DentalCheckIdentity {
  @Int64Field({ description: 'Unique identifier, assigned by the service on creation.', example: 1 })
  id!: bigint;

  @Int64Field({ description: 'The pet that was checked.', example: 1 })
  petId!: bigint;
}

/** A dental check as the service returns it. */
@ApiSchema({ name: 'DentalCheck', description: 'A dental check of a pet.' })
export class DentalCheckDto extends IntersectionType(DentalCheckIdentity, NewDentalCheckDto) {}
