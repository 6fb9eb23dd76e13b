import { Body, Controller, Injectable, Module, Post } from '@nestjs/common';
import { ApiOperation, ApiSchema, ApiTags } from '@nestjs/swagger';
import { DataSource, Entity, Index, type MigrationInterface, type QueryRunner, Table } from 'typeorm';
import { ApiKeysService } from '../../src/auth/api-keys.service';
import { KeyUpdates } from '../../src/auth/key-updates.service';
import { columnTypes, GeneratedInt64Key, OwnerColumn } from '../../src/platform/database/column-types';
import { Database } from '../../src/platform/database/database';
import { EntityRepository } from '../../src/platform/database/entities/entity-repository';
import { IdempotentResponse } from '../../src/platform/http/idempotency/idempotent-response.entity';
import { Once } from '../../src/platform/http/idempotency/once';
import { CreatedResponse, ErrorResponse } from '../../src/platform/http/operations/response.decorators';
import type { Created } from '../../src/platform/http/response/created';
import { RequireScopes } from '../../src/platform/security/access.decorators';
import { NoOwnerError } from '../../src/platform/security/security-errors';
import { Int64Field } from '../../src/platform/validation/fields';
import { describeOneEngine } from '../support/databases/databases';
import { addToSchema } from '../support/databases/with-schema';
import { ask, creation, field } from './support/request';
import { useService } from './support/service';

/** A row that belongs to whom the key was given to. */
@Entity('bookings')
@Index('idx_bookings_owner_id_id', ['tenant', 'id'])
class Booking {
  @GeneratedInt64Key('pk_bookings')
  id!: bigint;

  @OwnerColumn(({ owner }) => owner)
  tenant?: string;
}

@ApiSchema({ name: 'Booking', description: 'A booking.' })
class BookingDto {
  @Int64Field({ description: 'The id.', example: 1 })
  id!: bigint;
}

class NewBookingDto {}

@Injectable()
class BookingsRepository extends EntityRepository<Booking> {
  constructor(database: Database) {
    super(database, Booking);
  }
}

@ApiTags('bookings')
@Controller('bookings')
class BookingsController {
  constructor(private readonly bookings: BookingsRepository) {}

  @Post()
  @RequireScopes('bookings:write')
  @ApiOperation({ summary: 'Book' })
  @CreatedResponse(BookingDto, 'Booked.')
  @ErrorResponse(NoOwnerError, 'The key has no owner.')
  createBooking(@Body() _booking: NewBookingDto, @Once() once: Once): Promise<Created<BookingDto>> {
    return once(async () => {
      const { id } = await this.bookings.insert({});
      return { item: { id }, path: `/bookings/${id}` };
    });
  }
}

@Module({ controllers: [BookingsController], providers: [BookingsRepository] })
class BookingsModule {}

class CreateBookings1790000000002 implements MigrationInterface {
  async up(queryRunner: QueryRunner): Promise<void> {
    const { int64, text } = columnTypes(queryRunner);
    await queryRunner.createTable(
      new Table({
        name: 'bookings',
        columns: [
          {
            name: 'id',
            type: int64,
            isPrimary: true,
            isGenerated: true,
            generationStrategy: 'increment',
            primaryKeyConstraintName: 'pk_bookings',
          },
          { name: 'owner_id', type: text },
        ],
        indices: [{ name: 'idx_bookings_owner_id_id', columnNames: ['owner_id', 'id'] }],
      }),
    );
  }

  async down(queryRunner: QueryRunner): Promise<void> {
    await queryRunner.dropTable('bookings');
  }
}

describeOneEngine('An idempotent operation on rows that belong to the owners of keys', (engine) => {
  let takeBack: () => void;
  beforeAll(() => {
    takeBack = addToSchema({ entities: [Booking], migrations: [CreateBookings1790000000002] });
  });
  const service = useService(engine, {}, { BookingsModule });
  afterAll(() => takeBack());

  const book = (key: string) =>
    ask(
      service(),
      creation('{}', { key, target: '/v1/bookings', headers: { 'Idempotency-Key': 'one-booking' } }),
    );

  it('repeats the response of an owner to this owner alone, whoever has the key', async () => {
    const keys = service().app.get(ApiKeysService);
    const updates = service().app.get(KeyUpdates);
    const made = await keys.create({ name: 'moving', owner: 'tenant-a', scopes: ['bookings:write'] });
    const first = await book(made.token);
    await updates.change(made.key.id, { owner: 'tenant-b' });
    const other = await book(made.token);
    const again = await book(made.token);
    await updates.change(made.key.id, { owner: 'tenant-a' });
    const back = await book(made.token);
    const replayed = [first, other, again, back].map((each) => field(each, 'idempotency-replayed'));
    expect(replayed).toEqual([undefined, undefined, 'true', 'true']);
    expect([again.body, back.body]).toEqual([other.body, first.body]);
    const rows = await service()
      .app.get(DataSource)
      .getRepository(Booking)
      .find({ order: { id: 'ASC' } });
    expect(rows.map(({ tenant }) => tenant)).toEqual(['tenant-a', 'tenant-b']);
  });

  it('keeps the responses of keys without an owner at the place that they have always had', async () => {
    const key = await service().keyWith('pets:write');
    const pet = creation('{"name":"Rex","categoryId":3}', {
      key,
      headers: { 'Idempotency-Key': 'no-owner' },
    });
    expect((await ask(service(), pet)).status).toBe(201);
    const responses = service().app.get(DataSource).getRepository(IdempotentResponse);
    expect(await responses.findBy({ key: 'no-owner' })).toMatchObject([{ operation: 'POST /v1/pets' }]);
  });
});
