import {
  Body,
  Controller,
  Delete,
  Get,
  Module,
  Param,
  ParseIntPipe,
  ParseUUIDPipe,
  Patch,
  Post,
  Put,
} from '@nestjs/common';
import type { DeepPartial } from 'typeorm';
import { Public } from '../../src/platform/security/access.decorators';
import type { Farm } from './farm.entities';
import { CropsRepository, FarmsService } from './farms.service';

@Public()
@Controller('farms')
class FarmsController {
  constructor(private readonly farms: FarmsService) {}

  @Post()
  save(@Body() farm: DeepPartial<Farm>) {
    return this.farms.save(farm);
  }

  @Get('in/:region/from/:skip')
  page(@Param('region') region: string, @Param('skip', ParseIntPipe) skip: number) {
    return this.farms.page(region, skip);
  }

  @Get('in/:region/heavy')
  heavy(@Param('region') region: string) {
    return this.farms.heavy(region);
  }

  @Get('named/:name')
  findNamed(@Param('name') name: string) {
    return this.farms.findNamed(name);
  }

  @Get('named/:name/animals/:by')
  search(@Param('name') name: string, @Param('by') by: string) {
    return this.farms.search(name, by);
  }

  @Get('named/:name/figures')
  figures(@Param('name') name: string) {
    return this.farms.figures(name);
  }

  @Get('named/:name/joined')
  joined(@Param('name') name: string) {
    return this.farms.joined(name);
  }

  @Get('named/:name/heaviest')
  heaviest(@Param('name') name: string) {
    return this.farms.heaviest(name);
  }

  @Get('named/:name/stream')
  stream(@Param('name') name: string) {
    return this.farms.stream(name);
  }

  @Get('removed/:id')
  findRemoved(@Param('id', ParseUUIDPipe) id: string) {
    return this.farms.findRemoved(id);
  }

  @Get(':id')
  find(@Param('id', ParseUUIDPipe) id: string) {
    return this.farms.find(id);
  }

  @Get(':id/relation-ids')
  relationIds(@Param('id', ParseUUIDPipe) id: string) {
    return this.farms.countedAnimals(id);
  }

  @Patch(':id')
  change(@Param('id', ParseUUIDPipe) id: string, @Body() changes: DeepPartial<Farm>) {
    return this.farms.change(id, changes);
  }

  @Delete(':id')
  remove(@Param('id', ParseUUIDPipe) id: string) {
    return this.farms.remove(id);
  }

  @Post(':id/restored')
  restore(@Param('id', ParseUUIDPipe) id: string) {
    return this.farms.restore(id);
  }

  @Put(':id/crops/:crop')
  grow(@Param('id', ParseUUIDPipe) id: string, @Param('crop', ParseIntPipe) crop: number) {
    return this.farms.link(id, crop, true);
  }

  @Delete(':id/crops/:crop')
  giveUp(@Param('id', ParseUUIDPipe) id: string, @Param('crop', ParseIntPipe) crop: number) {
    return this.farms.link(id, crop, false);
  }

  @Post(':id/herds/:size')
  addHerd(@Param('id', ParseUUIDPipe) id: string, @Param('size', ParseIntPipe) size: number) {
    return this.farms.addHerd(id, size);
  }
}

@Public()
@Controller()
class FieldsController {
  constructor(private readonly farms: FarmsService) {}

  @Put('farm-crops/:name/:price')
  upsert(@Param('name') name: string, @Param('price', ParseIntPipe) price: number) {
    return this.farms.upsert(name, price);
  }

  @Get('farm-crops/dearest')
  dearest() {
    return this.farms.crops.dearest();
  }

  @Post('farm-animals/:name/fed')
  feed(@Param('name') name: string) {
    return this.farms.feed(name);
  }

  @Get('farm-animals/:name/count')
  byTag(@Param('name') name: string) {
    return this.farms.byTag(name);
  }

  @Post('farm-trees/:tree')
  plant(@Param('tree') tree: 'areas' | 'paths', @Body() { names }: { names: string[] }) {
    return this.farms.plant(tree, names);
  }

  @Get('farm-trees/:tree/:name')
  tree(@Param('tree') tree: 'areas' | 'paths', @Param('name') name: string) {
    return this.farms.tree(tree, name);
  }
}

@Module({ controllers: [FarmsController, FieldsController], providers: [FarmsService, CropsRepository] })
export class FarmsModule {}
