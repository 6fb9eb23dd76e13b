import { Controller, type DynamicModule, Get, Inject, Module } from '@nestjs/common';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { NoContentResponse } from '../../../src/platform/http/operations/response.decorators';
import { Feature } from '../../../src/platform/features/feature.decorator';
import { Public } from '../../../src/platform/security/access.decorators';

const COUNT = Symbol('COUNT');

@Public()
@Controller('herds')
class AntsController {
  constructor(@Inject(COUNT) readonly count: number) {}

  @Get(':ant')
  @NoContentResponse('Nothing.')
  findAnt(): void {}
}

@Feature({ admin: { ...PETS_ADMIN, name: 'ants' } })
@Module({})
class AntsModule {
  static forRoot(count: number): DynamicModule {
    const providers = [{ provide: COUNT, useValue: count }];
    return { module: AntsModule, controllers: [AntsController], providers };
  }
}

/** A feature that is a dynamic module. */
export const ants = AntsModule.forRoot(7);
