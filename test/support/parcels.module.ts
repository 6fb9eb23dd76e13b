import { Body, Controller, Delete, Get, HttpCode, Injectable, Module, Post, Query } from '@nestjs/common';
import { DataSource, type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { columnTypes } from '../../src/platform/database/column-types';
import { Database } from '../../src/platform/database/database';
import { EntityRepository } from '../../src/platform/database/entities/entity-repository';
import type { Page } from '../../src/platform/database/statements/page';
import { createTextIndex } from '../../src/platform/database/statements/text-index';
import { defineError } from '../../src/platform/errors/app-error';
import { Events } from '../../src/platform/events/events';
import { OnEvent } from '../../src/platform/events/on-event.decorator';
import { adminRecords } from '../../src/platform/features/admin-records';
import { Feature } from '../../src/platform/features/feature.decorator';
import type { Created } from '../../src/platform/http/response/created';
import {
  CreatedResponse,
  ErrorResponse,
  NoContentResponse,
  OkResponse,
  PageResponse,
} from '../../src/platform/http/operations/response.decorators';
import { CacheResponse } from '../../src/platform/http/response/response-cache';
import { RequireScopes } from '../../src/platform/security/access.decorators';
import { forAllOwners } from '../../src/platform/security/owner';
import { Int64Field, IntegerField, StringField } from '../../src/platform/validation/fields';
import { IntegerParameter, PrefixParameter, SortParameter } from '../../src/platform/validation/parameters';
import { Int64Param } from '../../src/platform/validation/int64-param.decorator';
import { PageQuery } from '../../src/platform/http/request/page-query';
import { Parcel } from './samples/owned-samples';

const ParcelNotFoundError = defineError({
  code: 'parcel_not_found',
  status: 404,
  message: 'There is no such parcel.',
});

class NewParcelDto {
  @StringField({ description: 'What is in it.', example: 'vase' }) label!: string;
  @IntegerField({ description: 'Its weight.', example: 1 }) weight!: number;
}

class ParcelDto extends NewParcelDto {
  @Int64Field({ description: 'The id.', example: 1 }) id!: bigint;
}

class ListParcelsQuery extends PageQuery {
  @IntegerParameter({ description: 'Keeps this weight.' }) weight?: number;
  @PrefixParameter({ description: 'Keeps a beginning.', prefix: 'label' }) labelPrefix?: string;
  @SortParameter('label', 'weight') sort?: string;
}

@Injectable()
class ParcelsRepository extends EntityRepository<Parcel> {
  constructor(database: Database) {
    super(database, Parcel, ListParcelsQuery);
  }
}

class ParcelAdded {
  constructor(readonly id: bigint) {}
}

@Injectable()
export class ParcelsService {
  /** The errors of handlers. */
  readonly refusals: string[] = [];

  constructor(
    private readonly parcels: ParcelsRepository,
    private readonly dataSource: DataSource,
    private readonly events: Events,
  ) {}

  @OnEvent(ParcelAdded)
  async look({ id }: ParcelAdded): Promise<void> {
    await this.parcels.findOne(id).catch((error: unknown) => this.refusals.push((error as Error).message));
    await forAllOwners(() => this.row(id));
  }

  async list(query: ListParcelsQuery): Promise<Page<ParcelDto>> {
    const page = await this.parcels.findPage(query);
    return { ...page, items: page.items.map(toDto) };
  }

  async create(parcel: NewParcelDto): Promise<Created<ParcelDto>> {
    const { id } = await this.parcels.insert({ ...parcel });
    this.events.publish(new ParcelAdded(id));
    return { item: { ...parcel, id }, path: `/parcels/${id}` };
  }

  async get(id: bigint): Promise<ParcelDto> {
    return toDto(await this.row(id));
  }

  async update(id: bigint, patch: Partial<NewParcelDto>): Promise<ParcelDto> {
    return toDto(await this.parcels.update({ ...(await this.row(id)), ...patch }));
  }

  async delete(id: bigint): Promise<void> {
    if (!(await this.parcels.delete(id))) throw new ParcelNotFoundError();
  }

  /** Passes by the repository, as whoever has not thought of owners does. */
  async weigh(id: bigint): Promise<ParcelDto> {
    await this.dataSource.getRepository(Parcel).increment({ id }, 'weight', 1);
    return toDto(await this.dataSource.getRepository(Parcel).findOneByOrFail({ id }));
  }

  private async row(id: bigint): Promise<Parcel> {
    const parcel = await this.parcels.findOne(id);
    if (!parcel) throw new ParcelNotFoundError();
    return parcel;
  }
}

function toDto({ id, label, weight }: Parcel): ParcelDto {
  return { id, label, weight };
}

@RequireScopes('parcels:write')
@Controller('parcels')
class ParcelsController {
  constructor(private readonly parcels: ParcelsService) {}

  @Get()
  @CacheResponse()
  @PageResponse(ParcelDto, 'Parcels', 'One page of parcels.')
  listParcels(@Query() query: ListParcelsQuery): Promise<Page<ParcelDto>> {
    return this.parcels.list(query);
  }

  @Post()
  @CreatedResponse(ParcelDto, 'The parcel was added.')
  createParcel(@Body() parcel: NewParcelDto): Promise<Created<ParcelDto>> {
    return this.parcels.create(parcel);
  }

  @Get(':parcelId')
  @OkResponse(ParcelDto, 'The parcel.')
  @ErrorResponse(ParcelNotFoundError, 'No parcel has this id.')
  getParcel(@Int64Param('parcelId', ParcelNotFoundError, 'The id.') id: bigint): Promise<ParcelDto> {
    return this.parcels.get(id);
  }

  @Delete(':parcelId')
  @HttpCode(204)
  @NoContentResponse('The parcel was removed.')
  @ErrorResponse(ParcelNotFoundError, 'No parcel has this id.')
  deleteParcel(@Int64Param('parcelId', ParcelNotFoundError, 'The id.') id: bigint): Promise<void> {
    return this.parcels.delete(id);
  }

  @Post(':parcelId/weigh')
  @HttpCode(200)
  @OkResponse(ParcelDto, 'The parcel.')
  weighParcel(@Int64Param('parcelId', ParcelNotFoundError, 'The id.') id: bigint): Promise<ParcelDto> {
    return this.parcels.weigh(id);
  }
}

/** A module whose rows belong to clients, with one operation that forgets it. */
@Feature({
  description: 'The parcels of clients.',
  admin: adminRecords({
    name: 'parcels',
    one: 'parcel',
    entity: Parcel,
    record: ParcelDto,
    list: ListParcelsQuery,
    creation: NewParcelDto,
    patch: NewParcelDto,
    service: ParcelsService,
  }),
})
@Module({ controllers: [ParcelsController], providers: [ParcelsService, ParcelsRepository] })
export class ParcelsModule {}

export class CreateParcels1790000000001 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { instant, int64, integer, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'parcels',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_parcels',
          },
          { name: 'owner_id', type: text },
          { name: 'label', type: text },
          { name: 'weight', type: integer },
          { name: 'removed_at', type: instant, isNullable: true },
        ],
        indices: [
          { name: 'idx_parcels_owner_id_id', columnNames: ['owner_id', 'id'] },
          { name: 'uq_parcels_owner_id_label', columnNames: ['owner_id', 'label'], isUnique: true },
          { name: 'idx_parcels_weight_id', columnNames: ['weight', 'id'] },
          { name: 'idx_parcels_owner_id_weight_id', columnNames: ['owner_id', 'weight', 'id'] },
        ],
      }),
    );
    const label = { table: 'parcels', column: 'label' };
    await createTextIndex(queryRunner, { name: 'idx_parcels_label_id', ...label });
    await createTextIndex(queryRunner, {
      name: 'idx_parcels_owner_id_label_id',
      ...label,
      ahead: ['owner_id'],
    });
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('parcels');
  }
}
