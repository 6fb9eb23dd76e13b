import {
  ArgumentsHost,
  Body,
  Catch,
  ConflictException,
  Controller,
  type ExceptionFilter,
  Injectable,
  Module,
  Post,
  UseFilters,
} from '@nestjs/common';
import { ApiOperation, ApiSchema, ApiTags } from '@nestjs/swagger';
import type { Response } from 'express';
import { DataSource, Entity, ForeignKey, QueryFailedError, type Repository, Unique } from 'typeorm';
import { Pet } from '../../src/pets/pet.entity';
import { GeneratedInt64Key, Int64Column, TextColumn } from '../../src/platform/database/column-types';
import { adminRecords } from '../../src/platform/features/admin-records';
import { Feature } from '../../src/platform/features/feature.decorator';
import { Once } from '../../src/platform/http/idempotency/once';
import { CreatedResponse } from '../../src/platform/http/operations/response.decorators';
import type { Created } from '../../src/platform/http/response/created';
import { RequireScopes } from '../../src/platform/security/access.decorators';
import { Int64Field, StringField } from '../../src/platform/validation/fields';

@Entity('op_stickers')
@Unique('uq_op_stickers_slug', ['slug'])
export class Sticker {
  @GeneratedInt64Key('pk_op_stickers')
  id!: bigint;

  @TextColumn()
  slug!: string;

  @Int64Column({ name: 'pet_id' })
  @ForeignKey(() => Pet, { name: 'fk_op_stickers_pet_id' })
  petId!: bigint;
}

@ApiSchema({ name: 'NewSticker', description: 'A sticker to be made.' })
export class NewStickerDto {
  @StringField({ description: 'Its name.', example: 'star' })
  slug!: string;

  @Int64Field({ description: 'On which pet.', example: 1 })
  petId!: bigint;
}

@ApiSchema({ name: 'Sticker', description: 'A sticker.' })
export class StickerDto extends NewStickerDto {
  @Int64Field({ description: 'Its id.', example: 1 })
  id!: bigint;
}

/** Writes as TypeORM's documentation has it, and knows no error of the service's. */
@Injectable()
export class StickersService {
  private readonly stickers: Repository<Sticker>;
  /** How often a sticker was to be made. */
  begun = 0;

  constructor(dataSource: DataSource) {
    this.stickers = dataSource.getRepository(Sticker);
  }

  async create(sticker: NewStickerDto): Promise<Created<StickerDto>> {
    this.begun++;
    if (sticker.slug === 'plain') throw new ConflictException('No plain ones.');
    const item = await this.stickers.save({ ...sticker });
    return { item, path: `/stickers/${item.id}` };
  }

  /** Gives a sticker the name of every other. */
  async rename(id: bigint): Promise<StickerDto> {
    await this.stickers.update({ id }, { slug: 'taken' });
    return this.stickers.findOneByOrFail({ id });
  }
}

@Catch(QueryFailedError)
class QueryFailedFilter implements ExceptionFilter {
  catch(error: QueryFailedError, host: ArgumentsHost): void {
    host.switchToHttp().getResponse<Response>().status(418).json({ failed: error.name });
  }
}

@ApiTags('stickers')
@Controller('stickers')
@RequireScopes('stickers:write')
class StickersController {
  constructor(private readonly stickers: StickersService) {}

  @Post()
  @ApiOperation({ summary: 'Make' })
  @CreatedResponse(StickerDto, 'Made.')
  makeSticker(@Body() sticker: NewStickerDto, @Once() once: Once): Promise<Created<StickerDto>> {
    return once(() => this.stickers.create(sticker));
  }

  /** Catches what TypeORM throws, as its users do. */
  @Post('caught')
  @ApiOperation({ summary: 'Make or not' })
  @CreatedResponse(StickerDto, 'Made.')
  async makeOrNot(@Body() sticker: NewStickerDto, @Once() once: Once): Promise<Created<StickerDto>> {
    try {
      return await once(() => this.stickers.create(sticker));
    } catch (error) {
      if (error instanceof QueryFailedError) throw new ConflictException('There is one.');
      throw error;
    }
  }

  @Post('filtered')
  @UseFilters(QueryFailedFilter)
  @ApiOperation({ summary: 'Make with a filter' })
  @CreatedResponse(StickerDto, 'Made.')
  makeFiltered(@Body() sticker: NewStickerDto, @Once() once: Once): Promise<Created<StickerDto>> {
    return once(() => this.stickers.create(sticker));
  }
}

export const STICKERS_ADMIN = adminRecords<StickerDto, NewStickerDto, never>({
  name: 'stickers',
  one: 'sticker',
  entity: Sticker,
  record: StickerDto,
  creation: NewStickerDto,
  service: StickersService,
  actions: { rename: { title: 'Rename', done: 'renamed' } },
});

@Feature({ description: 'Stickers.', admin: STICKERS_ADMIN })
@Module({ controllers: [StickersController], providers: [StickersService] })
export class StickersModule {}
