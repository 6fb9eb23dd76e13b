import { Injectable, Module } from '@nestjs/common';
import { PetPatchDto } from '../../../../src/pets/dto/pet-patch.dto';
import type { PetDto } from '../../../../src/pets/dto/pet.dto';
import { Pet } from '../../../../src/pets/pet.entity';
import { PetsModule } from '../../../../src/pets/pets.module';
import { PetsService } from '../../../../src/pets/pets.service';
import { adminRecords } from '../../../../src/platform/features/admin-records';
import { Feature } from '../../../../src/platform/features/feature.decorator';
import type { Precondition } from '../../../../src/platform/http/request/precondition';
import { Int64Field, ReferenceField } from '../../../../src/platform/validation/fields';

/** A pet whose category is another pet, which it follows. */
class FollowerDto {
  @Int64Field({ description: 'The id.', example: 1 }) id!: bigint;
  @ReferenceField('/pets', { description: 'The pet it follows.', example: 1 }) categoryId!: bigint;
}

@Injectable()
class FollowersService {
  constructor(private readonly pets: PetsService) {}

  update(id: bigint, patch: PetPatchDto, ifMatch?: Precondition): Promise<PetDto> {
    return this.pets.update(id, patch, ifMatch);
  }
}

/** A module whose records refer to those of another. */
@Feature({
  admin: adminRecords({
    name: 'followers',
    one: 'follower',
    entity: Pet,
    record: FollowerDto,
    patch: PetPatchDto,
    service: FollowersService,
  }),
})
@Module({ imports: [PetsModule], providers: [FollowersService] })
export class FollowersModule {}
