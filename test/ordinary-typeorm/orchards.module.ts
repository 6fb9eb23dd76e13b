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
import { InjectDataSource, InjectEntityManager, InjectRepository, TypeOrmModule } from '@nestjs/typeorm';
import {
  Column,
  DataSource,
  Entity,
  EntityManager,
  ManyToOne,
  OneToMany,
  PrimaryGeneratedColumn,
  Repository,
} from 'typeorm';
import { Public } from '../../src/platform/security/access.decorators';

@Entity('on_orchards')
export class Orchard {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column({ unique: true })
  name!: string;

  @OneToMany(() => Tree, (tree) => tree.orchard)
  trees!: Tree[];
}

@Entity('on_trees')
export class Tree {
  @PrimaryGeneratedColumn()
  id!: number;

  @Column()
  sort!: string;

  @ManyToOne(() => Orchard, (orchard) => orchard.trees)
  orchard!: Orchard;
}

/** A service as Nest's page on databases has it. */
@Injectable()
class OrchardsService {
  constructor(
    @InjectRepository(Orchard) private readonly orchards: Repository<Orchard>,
    @InjectRepository(Tree) private readonly trees: Repository<Tree>,
    @InjectDataSource() private readonly dataSource: DataSource,
    @InjectEntityManager() private readonly injected: EntityManager,
    private readonly manager: EntityManager,
  ) {}

  create(name: string): Promise<Orchard> {
    return this.orchards.save({ name });
  }

  findAll(): Promise<Orchard[]> {
    return this.orchards.find({ relations: { trees: true }, order: { id: 'ASC' } });
  }

  /** Plants by the repositories that were injected, inside a transaction: all of them, or none. */
  plant(id: number, sorts: string[]): Promise<number> {
    return this.dataSource.transaction(async (manager) => {
      const orchard = await manager.withRepository(this.orchards).findOneByOrFail({ id });
      for (const sort of sorts) await this.trees.insert({ sort, orchard });
      if (sorts.includes('fails')) throw new ConflictException('A tree has fallen.');
      return this.injected.countBy(Tree, { orchard: { id } });
    });
  }

  count(): Promise<number> {
    return this.manager.count(Orchard);
  }
}

@Public()
@Controller('orchards')
class OrchardsController {
  constructor(private readonly orchards: OrchardsService) {}

  @Post()
  create(@Body() { name }: { name: string }): Promise<Orchard> {
    return this.orchards.create(name);
  }

  @Get()
  findAll(): Promise<Orchard[]> {
    return this.orchards.findAll();
  }

  @Get('count')
  count(): Promise<number> {
    return this.orchards.count();
  }

  @Post(':id/trees')
  plant(@Param('id', ParseIntPipe) id: number, @Body() { sorts }: { sorts: string[] }): Promise<number> {
    return this.orchards.plant(id, sorts);
  }
}

@Module({
  imports: [TypeOrmModule.forFeature([Orchard, Tree])],
  controllers: [OrchardsController],
  providers: [OrchardsService],
})
export class OrchardsModule {}
