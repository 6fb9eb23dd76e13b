import { Controller, Get, Module, Param, Post, Query } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { OnManagementPort } from '../../src/platform/http/management/on-management-port.decorator';
import { Pet } from '../../src/pets/pet.entity';
import { Public } from '../../src/platform/security/access.decorators';

@OnManagementPort()
@Public()
@Controller('barns')
class BarnsController {
  constructor(private readonly dataSource: DataSource) {}

  @Get('broken')
  broken(): Promise<unknown> {
    return this.dataSource.query(`SELEKT * FROM "no_such_barn" WHERE "name" = 'secret'`);
  }

  @Post()
  add(): string {
    return 'added';
  }

  @Get(':count')
  async get(@Param('count') count: string, @Query('search') name = ''): Promise<string> {
    const pets = this.dataSource.getRepository(Pet);
    for (let i = 0; i < Number(count); i++) await pets.findOneBy({ name });
    return 'done';
  }
}

/** A module that has the management port do work for operators. */
@Module({ controllers: [BarnsController] })
export class BarnsModule {}
