import {
  Body,
  ConflictException,
  Controller,
  Get,
  Injectable,
  Module,
  Param,
  ParseIntPipe,
  Post,
} from '@nestjs/common';
import { DataSource, type EntityManager, type EntitySubscriberInterface, type InsertEvent } from 'typeorm';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel';
import { Database } from '../../src/platform/database/database';
import { Events } from '../../src/platform/events/events';
import { OnEvent } from '../../src/platform/events/on-event.decorator';
import { Public } from '../../src/platform/security/access.decorators';
import { Account, Entry, Sighting } from './ledger.entities';

class EntryBooked {
  constructor(readonly note: string) {}
}

interface Booking {
  readonly amount: number;
  readonly note: string;
  readonly fails?: boolean;
  readonly isolation?: IsolationLevel;
  /** Whether it waits, in its transaction, for {@link held}. */
  readonly isHeld?: boolean;
}

/** What bookings wait for that are to be held; the test says it. */
export const held = { wait: (): Promise<void> => Promise.resolve() };

/** A subscriber as Nest's page on databases has one, which writes in the transaction of what it hears of. */
@Injectable()
class EntrySubscriber implements EntitySubscriberInterface<Entry> {
  constructor(dataSource: DataSource) {
    dataSource.subscribers.push(this);
  }

  listenTo() {
    return Entry;
  }

  async afterInsert({ entity, manager }: InsertEvent<Entry>): Promise<void> {
    await manager.insert(Sighting, { note: entity.note });
  }
}

/** Ledgers in transactions of each kind that TypeORM has. */
@Injectable()
class LedgersService {
  readonly heard: string[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly database: Database,
    private readonly events: Events,
  ) {}

  @OnEvent(EntryBooked)
  hear({ note }: EntryBooked): void {
    this.heard.push(note);
  }

  open(): Promise<Account> {
    return this.dataSource.manager.save(new Account());
  }

  find(id: number): Promise<Account> {
    const relations = { entries: true };
    return this.dataSource.manager.findOneOrFail(Account, {
      where: { id },
      relations,
      order: { entries: { id: 'ASC' } },
    });
  }

  async sightings(note: string): Promise<number> {
    return this.dataSource.manager.countBy(Sighting, { note });
  }

  /** @returns how often the work was begun */
  async book(id: number, { isolation, ...booking }: Booking): Promise<number> {
    let attempts = 0;
    const work = async (manager: EntityManager) => {
      attempts++;
      await this.add(manager, id, booking);
    };
    await (isolation ? this.dataSource.transaction(isolation, work) : this.dataSource.transaction(work));
    return attempts;
  }

  private async add(
    manager: EntityManager,
    id: number,
    { amount, note, fails, isHeld }: Booking,
  ): Promise<void> {
    await manager.increment(Account, { id }, 'balance', amount);
    await manager.save(manager.create(Entry, { amount, note, account: { id } }));
    this.events.publish(new EntryBooked(note));
    this.database.afterCommit(() => this.heard.push(`after ${note}`));
    if (isHeld) await held.wait();
    if (fails) throw new ConflictException('The booking was called off.');
  }

  /** Books by savepoints by hand: the first is kept, the second is not. */
  async bookInSteps(id: number, note: string): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    await runner.connect();
    await runner.startTransaction('SERIALIZABLE');
    try {
      await this.add(runner.manager, id, { amount: 1, note: `${note} outer` });
      await runner.startTransaction();
      await this.add(runner.manager, id, { amount: 10, note: `${note} kept` });
      await runner.commitTransaction();
      await runner.startTransaction();
      await this.add(runner.manager, id, { amount: 100, note: `${note} undone` });
      await runner.rollbackTransaction();
      await runner.commitTransaction();
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    } finally {
      await runner.release();
    }
  }

  /** Books on a runner that ends with its block. */
  async bookInBlock(id: number, note: string, isHeld = false): Promise<void> {
    await using runner = this.dataSource.createQueryRunner();
    await runner.startTransaction();
    await this.add(runner.manager, id, { amount: 5, note, isHeld });
  }

  /** Books several at once in one transaction. */
  async bookTogether(id: number, notes: string[]): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      await Promise.all(notes.map((note) => this.add(manager, id, { amount: 1, note })));
    });
  }

  /** Saves an entity with what it takes of TypeORM's own transaction. */
  async save(id: number, balance: number): Promise<Account> {
    const account = await this.find(id);
    account.balance = balance;
    return this.dataSource.getRepository(Account).save(account);
  }

  async forget(id: number): Promise<void> {
    const runner = this.dataSource.createQueryRunner();
    await runner.connect();
    await runner.startTransaction();
    await this.add(runner.manager, id, { amount: 1_000, note: 'forgotten' });
  }
}

@Public()
@Controller('ledgers')
class LedgersController {
  constructor(private readonly ledgers: LedgersService) {}

  @Post()
  open(): Promise<Account> {
    return this.ledgers.open();
  }

  @Get('heard')
  heard(): string[] {
    return this.ledgers.heard;
  }

  @Get('sightings/:note')
  sightings(@Param('note') note: string): Promise<number> {
    return this.ledgers.sightings(note);
  }

  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number): Promise<Account> {
    return this.ledgers.find(id);
  }

  @Post(':id/bookings')
  book(@Param('id', ParseIntPipe) id: number, @Body() booking: Booking): Promise<number> {
    return this.ledgers.book(id, booking);
  }

  @Post(':id/steps')
  bookInSteps(@Param('id', ParseIntPipe) id: number, @Body() { note }: Booking): Promise<void> {
    return this.ledgers.bookInSteps(id, note);
  }

  @Post(':id/blocks')
  bookInBlock(@Param('id', ParseIntPipe) id: number, @Body() { note, isHeld }: Booking): Promise<void> {
    return this.ledgers.bookInBlock(id, note, isHeld);
  }

  @Post(':id/batches')
  bookTogether(@Param('id', ParseIntPipe) id: number, @Body() { notes }: { notes: string[] }): Promise<void> {
    return this.ledgers.bookTogether(id, notes);
  }

  @Post(':id/balance')
  save(@Param('id', ParseIntPipe) id: number, @Body() { amount }: Booking): Promise<Account> {
    return this.ledgers.save(id, amount);
  }

  @Post(':id/forgotten')
  forget(@Param('id', ParseIntPipe) id: number): Promise<void> {
    return this.ledgers.forget(id);
  }
}

@Module({ controllers: [LedgersController], providers: [LedgersService, EntrySubscriber] })
export class LedgersModule {}
