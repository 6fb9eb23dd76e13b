import { Injectable, NotFoundException } from '@nestjs/common';
import {
  Between,
  DataSource,
  type DeepPartial,
  type FindOptionsWhere,
  In,
  IsNull,
  LessThan,
  Like,
  MoreThanOrEqual,
  Not,
  Raw,
  Repository,
} from 'typeorm';
import { Animal, Area, Crop, Farm, Path } from './farm.entities';

/** A repository as TypeORM's documentation extends one. */
@Injectable()
export class CropsRepository extends Repository<Crop> {
  constructor(dataSource: DataSource) {
    super(Crop, dataSource.createEntityManager());
  }

  dearest(): Promise<Crop | null> {
    return this.findOne({ where: {}, order: { price: 'DESC', id: 'ASC' } });
  }
}

/** Find options by what they try. */
const SEARCHES: Readonly<Record<string, FindOptionsWhere<Animal> | FindOptionsWhere<Animal>[]>> = {
  in: { name: In(['Ada', 'Bo']) },
  like: { name: Like('%o%') },
  between: { weight: Between(100, 300) },
  'is-null': { born: IsNull() },
  not: { name: Not(In(['Ada', 'Bo'])) },
  either: [{ name: 'Ada' }, { weight: LessThan(50) }],
  since: { born: MoreThanOrEqual(new Date('2021-01-01T00:00:00Z')) },
  raw: { weight: Raw((column) => `${column} > :least`, { least: 250 }) },
};

@Injectable()
export class FarmsService {
  private readonly farms = this.dataSource.getRepository(Farm);
  private readonly animals = this.dataSource.getRepository(Animal);
  private readonly areas = this.dataSource.getTreeRepository(Area);
  private readonly paths = this.dataSource.getTreeRepository(Path);
  /** Extended as the documentation has it for one more method. */
  private readonly named = this.farms.extend({
    findNamed(name: string): Promise<Farm | null> {
      return this.findOneBy({ name });
    },
  });

  constructor(
    private readonly dataSource: DataSource,
    readonly crops: CropsRepository,
  ) {}

  save(farm: DeepPartial<Farm>): Promise<Farm> {
    return this.farms.save(this.farms.create(farm));
  }

  async find(id: string): Promise<Farm> {
    const relations = { animals: true, crops: true, owner: true };
    const farm = await this.farms.findOne({ where: { id }, relations, order: { animals: { name: 'ASC' } } });
    if (!farm) throw new NotFoundException();
    return farm;
  }

  findNamed(name: string): Promise<Farm | null> {
    return this.named.findNamed(name);
  }

  async change(id: string, changes: DeepPartial<Farm>): Promise<Farm> {
    const farm = await this.farms.preload({ id, ...changes });
    return this.farms.save(farm as Farm);
  }

  search(name: string, by: string): Promise<Animal[]> {
    const terms = [SEARCHES[by] as FindOptionsWhere<Animal>].flat();
    return this.animals.find({
      select: { name: true },
      where: terms.map((term) => ({ ...term, farm: { name } })),
      order: { name: 'ASC' },
    });
  }

  page(region: string, skip: number): Promise<[Farm[], number]> {
    return this.farms.findAndCount({ where: { region }, order: { name: 'DESC' }, skip, take: 2 });
  }

  async figures(name: string) {
    const where = { farm: { name } };
    return {
      count: await this.animals.countBy(where),
      exists: [await this.animals.existsBy(where), await this.animals.exists({ where: { name: 'nobody' } })],
      sum: await this.animals.sum('weight', where),
      average: await this.animals.average('weight', where),
      extremes: [await this.animals.minimum('weight', where), await this.animals.maximum('weight', where)],
    };
  }

  joined(name: string): Promise<[Farm[], number]> {
    return this.farms
      .createQueryBuilder('farm')
      .leftJoinAndSelect('farm.animals', 'animal', 'animal.weight > :least', { least: 100 })
      .innerJoinAndSelect('farm.crops', 'crop')
      .where('farm.name = :name', { name })
      .orderBy('animal.weight')
      .take(10)
      .getManyAndCount();
  }

  heavy(region: string) {
    return this.dataSource
      .createQueryBuilder(Animal, 'animal')
      .innerJoin('animal.farm', 'farm')
      .select('farm.name', 'name')
      .addSelect('COUNT(*)', 'count')
      .addSelect('MAX(animal.weight)', 'heaviest')
      .where('farm.region = :region', { region })
      .groupBy('farm.name')
      .having('COUNT(*) > 1')
      .getRawMany<{ name: string }>();
  }

  heaviest(name: string): Promise<Animal[]> {
    const heaviest = this.animals
      .createQueryBuilder('other')
      .select('MAX(other.weight)')
      .innerJoin('other.farm', 'farm')
      .where('farm.name = :name');
    return this.animals
      .createQueryBuilder('animal')
      .where(`animal.weight = (${heaviest.getQuery()})`)
      .setParameters({ name })
      .getMany();
  }

  async countedAnimals(id: string): Promise<unknown> {
    const [entity] = await this.farms.find({ where: { id }, loadRelationIds: { relations: ['animals'] } });
    return entity;
  }

  async upsert(name: string, price: number): Promise<Crop> {
    await this.crops.upsert({ name, price }, ['name']);
    return this.crops.findOneByOrFail({ name });
  }

  async remove(id: string): Promise<void> {
    await this.farms.softRemove(await this.find(id));
  }

  async restore(id: string): Promise<void> {
    await this.farms.restore(id);
  }

  findRemoved(id: string): Promise<Farm> {
    return this.farms.findOneOrFail({ where: { id }, withDeleted: true });
  }

  async link(id: string, cropId: number, isGrown: boolean): Promise<void> {
    const relation = this.farms.createQueryBuilder().relation('crops').of(id);
    await (isGrown ? relation.add(cropId) : relation.remove(cropId));
  }

  async addHerd(id: string, size: number): Promise<number> {
    const farm = await this.farms.findOneByOrFail({ id });
    const herd = Array.from({ length: size }, (_, n) =>
      this.animals.create({ name: `n${n}`, weight: n, farm }),
    );
    const saved = await this.animals.save(herd, { chunk: 100 });
    return new Set(saved.map(({ id: key }) => key)).size;
  }

  async feed(name: string): Promise<number> {
    const { affected } = await this.animals
      .createQueryBuilder()
      .update()
      .set({ weight: () => 'weight + 1' })
      .where({ name })
      .execute();
    return affected ?? 0;
  }

  async stream(name: string): Promise<string[]> {
    const rows = await this.animals
      .createQueryBuilder('animal')
      .innerJoin('animal.farm', 'farm')
      .where('farm.name = :name', { name })
      .orderBy('animal.name')
      .stream();
    const names: string[] = [];
    for await (const row of rows) names.push((row as unknown as { animal_name: string }).animal_name);
    return names;
  }

  async byTag(name: string): Promise<number> {
    const rows: unknown[] = await this.dataSource.sql`SELECT "id" FROM "of_animals" WHERE "name" = ${name}`;
    return rows.length;
  }

  async plant(tree: 'areas' | 'paths', names: string[]): Promise<void> {
    const repository = this[tree];
    let parent: Area | Path | null = null;
    for (const name of names) parent = await repository.save(repository.create({ name, parent }));
  }

  async tree(tree: 'areas' | 'paths', name: string) {
    const repository = this[tree];
    const node = await repository.findOneByOrFail({ name });
    return {
      ancestors: (await repository.findAncestors(node)).map((each) => each.name).sort(),
      descendants: await repository.countDescendants(node),
      whole: await repository.findDescendantsTree(node),
    };
  }
}
