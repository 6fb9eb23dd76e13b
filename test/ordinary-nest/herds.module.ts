import { Controller, Get, Injectable, Module, Query } from '@nestjs/common';
import { ApiOperation, ApiTags } from '@nestjs/swagger';
import { PetDto } from '../../src/pets/dto/pet.dto';
import { PetStatus } from '../../src/pets/pet-status';
import { Pet } from '../../src/pets/pet.entity';
import { PetsRepository } from '../../src/pets/pets.repository';
import { Database } from '../../src/platform/database/database';
import { EntityRepository } from '../../src/platform/database/entities/entity-repository';
import type { Page } from '../../src/platform/database/statements/page';
import { adminRecords } from '../../src/platform/features/admin-records';
import { Feature } from '../../src/platform/features/feature.decorator';
import { PageResponse } from '../../src/platform/http/operations/response.decorators';
import { PageQuery } from '../../src/platform/http/request/page-query';
import { RequireScopes } from '../../src/platform/security/access.decorators';
import {
  DateTimeParameter,
  EnumParameter,
  Int64Parameter,
  PrefixParameter,
  SortParameter,
} from '../../src/platform/validation/parameters';

/** Every kind of filter that a list can declare, of the pets there are. */
class ListHerdsQuery extends PageQuery {
  @EnumParameter(PetStatus, 'PetStatus', { description: 'Keeps these.', isArray: true })
  status?: PetStatus[];

  @Int64Parameter({ description: 'Keeps from this on.', from: 'categoryId' })
  categoryIdFrom?: bigint;

  @Int64Parameter({ description: 'Keeps up to this.', to: 'categoryId' })
  categoryIdTo?: bigint;

  @DateTimeParameter({ description: 'Keeps the earlier.', before: 'createdAt' })
  createdAtBefore?: Date;

  @PrefixParameter({ description: 'Keeps a beginning.', prefix: 'name' })
  namePrefix?: string;

  @SortParameter('name', 'categoryId', 'createdAt')
  sort?: string;
}

@Injectable()
class HerdsRepository extends EntityRepository<Pet> {
  constructor(database: Database) {
    super(database, Pet, ListHerdsQuery);
  }
}

@Injectable()
class HerdsService {
  /** Operators change pets where they belong. */
  readonly create?: never;

  constructor(private readonly herds: HerdsRepository) {}

  async list(query: ListHerdsQuery): Promise<Page<PetDto>> {
    const page = await this.herds.findPage(query);
    const toDto = ({ id, name, categoryId, status }: Pet): PetDto => ({
      ...{ id, name, categoryId },
      status: status ?? undefined,
    });
    return { ...page, items: page.items.map(toDto) };
  }
}

@ApiTags('herds')
@Controller('herds')
class HerdsController {
  constructor(private readonly herds: HerdsService) {}

  @Get()
  @RequireScopes('pets:read')
  @ApiOperation({ summary: 'List herds', description: 'Lists herds.' })
  @PageResponse(PetDto, 'Herds', 'One page of herds.')
  listHerds(@Query() query: ListHerdsQuery): Promise<Page<PetDto>> {
    return this.herds.list(query);
  }
}

/** A list with every kind of filter, in a module as the generator writes it. */
@Feature({
  description: 'Herds.',
  admin: adminRecords({
    name: 'herds',
    one: 'herd',
    entity: Pet,
    record: PetDto,
    list: ListHerdsQuery,
    service: HerdsService,
  }),
})
@Module({ controllers: [HerdsController], providers: [HerdsService, HerdsRepository] })
export class HerdsModule {}

class ListByStatusQuery extends PageQuery {
  @SortParameter('status') sort?: string;
}

@Injectable()
class UnsortedRepository extends EntityRepository<Pet> {
  constructor(database: Database) {
    super(database, Pet, ListByStatusQuery);
  }
}

/** Sorts by what engines do not sort alike. */
@Module({ providers: [UnsortedRepository] })
export class UnsortedModule {}

class ListByBeginningQuery extends PageQuery {
  @PrefixParameter({ description: 'Keeps a beginning.', prefix: 'name' })
  namePrefix?: string;
}

@Controller('half')
class HalfController {
  constructor(private readonly pets: PetsRepository) {}

  @Get()
  @RequireScopes('pets:read')
  @ApiOperation({ summary: 'List half', description: 'Lists half.' })
  @PageResponse(PetDto, 'Half', 'One page of half.')
  listHalf(@Query() query: ListByBeginningQuery): Promise<Page<PetDto>> {
    return this.pets.findPage(query) as Promise<Page<never>>;
  }
}

/** Declares a filter that it does not pass on to its repository. */
@Module({ controllers: [HalfController], providers: [PetsRepository] })
export class HalfModule {}
