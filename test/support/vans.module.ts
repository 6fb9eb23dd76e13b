import { Controller, Get, Injectable, Module, Param } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { Pet } from '../../src/pets/pet.entity';
import { Public } from '../../src/platform/security/access.decorators';

/** Asks for each pet by itself, as whoever has not thought of it does. */
@Injectable()
class VansService {
  constructor(private readonly dataSource: DataSource) {}

  async names(count: number): Promise<string[]> {
    const names: string[] = [];
    for (let id = 1; id <= count; id++) {
      const pet = await this.dataSource.getRepository(Pet).findOneBy({ name: `secret ${id}` });
      names.push(pet?.name ?? '');
    }
    return names;
  }

  async fail(): Promise<never> {
    return this.dataSource.query(`SELEKT * FROM "no_such_van" WHERE "name" = 'secret' AND "id" = 4711`);
  }
}

@Public()
@Controller('vans')
class VansController {
  constructor(private readonly vans: VansService) {}

  @Get(':count')
  get(@Param('count') count: string): Promise<string[]> {
    return count === 'broken' ? this.vans.fail() : this.vans.names(Number(count));
  }
}

/** A module whose requests do more on the database than they need, in various ways. */
@Module({ controllers: [VansController], providers: [VansService] })
export class VansModule {}
