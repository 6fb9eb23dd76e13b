import { setImmediate as othersRun } from 'node:timers/promises';
import {
  Body,
  ConflictException,
  Controller,
  Delete,
  Get,
  Injectable,
  Module,
  NotFoundException,
  Param,
  ParseIntPipe,
  Patch,
  Post,
} from '@nestjs/common';
import { DataSource, QueryFailedError, Repository } from 'typeorm';
import { PetsModule } from '../../src/pets/pets.module';
import { PetsService } from '../../src/pets/pets.service';
import { Public } from '../../src/platform/security/access.decorators';
import { Sale, Shop } from './shop.entities';

const SHOPS = Symbol('SHOPS');

interface NewShop {
  readonly name: string;
  readonly hours?: { from: number; to: number };
  readonly labels?: string[];
  readonly sales?: { amount: number }[];
}

/** A service as TypeORM's documentation teaches to write one. */
@Injectable()
class ShopsService {
  private readonly sales: Repository<Sale>;
  private readonly shops: Repository<Shop>;

  constructor(
    private readonly dataSource: DataSource,
    private readonly pets: PetsService,
  ) {
    this.sales = dataSource.getRepository(Sale);
    this.shops = dataSource.getRepository(Shop);
  }

  create(shop: NewShop): Promise<Shop> {
    return this.shops.save(this.shops.create(shop));
  }

  async find(id: number): Promise<Shop> {
    const shop = await this.shops.findOne({ where: { id }, relations: { sales: true } });
    if (!shop) throw new NotFoundException('There is no such shop.');
    return shop;
  }

  async rename(id: number, name: string): Promise<Shop> {
    const shop = await this.find(id);
    shop.name = name;
    return this.shops.save(shop);
  }

  async totals() {
    return this.dataSource
      .createQueryBuilder(Shop, 'shop')
      .leftJoin('shop.sales', 'sale')
      .select('shop.name', 'name')
      .addSelect('COALESCE(SUM(sale.amount), 0)', 'total')
      .groupBy('shop.name')
      .orderBy('shop.name')
      .getRawMany<{ name: string; total: bigint }>();
  }

  /** Sells by `dataSource.transaction`: a sale, a pet of another module, and a visit; it fails when asked to. */
  sell(id: number, amount: number, fails: boolean): Promise<string> {
    return this.dataSource.transaction(async (manager) => {
      const shop = await manager.findOneByOrFail(Shop, { id });
      const { item: pet } = await this.pets.create({ name: `sold by ${shop.name}`, categoryId: 7n });
      await othersRun();
      const sale = await manager.save(manager.create(Sale, { amount, shop, petId: pet.id }));
      await manager.increment(Shop, { id }, 'visits', 1);
      if (fails) throw new ConflictException('The sale was called off.');
      return sale.id;
    });
  }

  /** The same with a query runner, as the page about transactions has it. */
  async sellByHand(id: number, amount: number, fails: boolean): Promise<void> {
    const queryRunner = this.dataSource.createQueryRunner();
    await queryRunner.connect();
    await queryRunner.startTransaction();
    try {
      const shop = await queryRunner.manager.findOneByOrFail(Shop, { id });
      await this.pets.create({ name: `sold by hand by ${shop.name}`, categoryId: 7n });
      await othersRun();
      await queryRunner.manager.insert(Sale, { amount, shop });
      await queryRunner.manager.increment(Shop, { id }, 'visits', 1);
      if (fails) throw new ConflictException('The sale was called off.');
      await queryRunner.commitTransaction();
    } catch (error) {
      await queryRunner.rollbackTransaction();
      throw error;
    } finally {
      await queryRunner.release();
    }
  }

  /** Keeps the first sale and not the nested one, which fails. */
  async sellNested(id: number): Promise<void> {
    await this.dataSource.transaction('SERIALIZABLE', async (manager) => {
      const shop = await manager.findOneByOrFail(Shop, { id });
      await manager.insert(Sale, { amount: 1, shop });
      await manager
        .transaction(async (inner) => {
          await inner.insert(Sale, { amount: 1_000, shop });
          await this.pets.create({ name: 'nested', categoryId: 7n });
          throw new Error('Undo this part.');
        })
        .catch(() => undefined);
      await this.sales.insert({ amount: 2, shop });
    });
  }

  /** Finds the shop of a name or makes it. */
  async ensure(name: string): Promise<Shop> {
    try {
      return await this.shops.save({ name });
    } catch (error) {
      if (!(error instanceof QueryFailedError)) throw error;
      return this.shops.findOneByOrFail({ name });
    }
  }

  async remove(id: number): Promise<void> {
    const { affected } = await this.shops.softDelete(id);
    if (!affected) throw new NotFoundException('There is no such shop.');
  }

  async erase(id: number): Promise<void> {
    await this.shops.delete(id);
  }

  async addReceipt(saleId: string, text: string): Promise<string> {
    await this.sales.update({ id: saleId }, { receipt: Buffer.from(text) });
    const { receipt } = await this.sales.findOneByOrFail({ id: saleId });
    return (receipt as Buffer).toString();
  }

  async sellOf(shopId: number): Promise<void> {
    await this.sales.insert({ amount: 5, shop: { id: shopId } });
  }

  async visitsOf(id: number): Promise<number> {
    const [{ visits }] = (await this.dataSource.query(
      'SELECT "visits" FROM "ot_shops" WHERE "id" = ' + id,
    )) as [{ visits: number | bigint }];
    return Number(visits);
  }
}

@Public()
@Controller('shops')
class ShopsController {
  constructor(private readonly shops: ShopsService) {}

  @Post()
  create(@Body() shop: NewShop): Promise<Shop> {
    return this.shops.create(shop);
  }

  @Get('totals')
  totals() {
    return this.shops.totals();
  }

  @Get(':id')
  find(@Param('id', ParseIntPipe) id: number): Promise<Shop> {
    return this.shops.find(id);
  }

  @Patch(':id')
  rename(@Param('id', ParseIntPipe) id: number, @Body() { name }: NewShop): Promise<Shop> {
    return this.shops.rename(id, name);
  }

  @Delete(':id')
  remove(@Param('id', ParseIntPipe) id: number): Promise<void> {
    return this.shops.remove(id);
  }

  @Delete(':id/rows')
  erase(@Param('id', ParseIntPipe) id: number): Promise<void> {
    return this.shops.erase(id);
  }

  @Post(':id/sales')
  sell(
    @Param('id', ParseIntPipe) id: number,
    @Body() { amount, fails = false }: { amount: number; fails?: boolean },
  ): Promise<string> {
    return this.shops.sell(id, amount, fails);
  }

  @Post(':id/sales-by-hand')
  sellByHand(
    @Param('id', ParseIntPipe) id: number,
    @Body() { amount, fails = false }: { amount: number; fails?: boolean },
  ): Promise<void> {
    return this.shops.sellByHand(id, amount, fails);
  }

  @Post(':id/nested-sales')
  sellNested(@Param('id', ParseIntPipe) id: number): Promise<void> {
    return this.shops.sellNested(id);
  }

  @Post(':id/sale-without-shop')
  sellOf(@Param('id', ParseIntPipe) id: number): Promise<void> {
    return this.shops.sellOf(id);
  }

  @Post('ensured')
  ensure(@Body() { name }: NewShop): Promise<Shop> {
    return this.shops.ensure(name);
  }

  @Post('sales/:id/receipt')
  addReceipt(@Param('id') id: string, @Body() { text }: { text: string }): Promise<string> {
    return this.shops.addReceipt(id, text);
  }

  @Get(':id/visits')
  visits(@Param('id', ParseIntPipe) id: number): Promise<number> {
    return this.shops.visitsOf(id);
  }
}

/** How many open shops there are, by a repository that a factory provides. */
@Injectable()
class OpenShops {
  constructor(private readonly shops: Repository<Shop>) {}

  count(): Promise<number> {
    return this.shops.countBy({ isOpen: true });
  }
}

@Public()
@Controller('open-shops')
class OpenShopsController {
  constructor(private readonly shops: OpenShops) {}

  @Get()
  async count(): Promise<{ count: number }> {
    return { count: await this.shops.count() };
  }
}

@Module({
  imports: [PetsModule],
  controllers: [ShopsController, OpenShopsController],
  providers: [
    ShopsService,
    {
      provide: SHOPS,
      inject: [DataSource],
      useFactory: (dataSource: DataSource) => dataSource.getRepository(Shop),
    },
    { provide: OpenShops, inject: [SHOPS], useFactory: (shops: Repository<Shop>) => new OpenShops(shops) },
  ],
})
export class ShopsModule {}
