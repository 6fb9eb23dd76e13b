import { Controller, Get, Module } from '@nestjs/common';
import { PETS_ADMIN } from '../../../src/pets/pets.admin';
import { NoContentResponse } from '../../../src/platform/http/operations/response.decorators';
import { Feature } from '../../../src/platform/features/feature.decorator';
import { Public } from '../../../src/platform/security/access.decorators';

@Public()
@Controller('herds')
class ZebrasController {
  @Get(':zebra')
  @NoContentResponse('Nothing.')
  findZebra(): void {}
}

/** A feature with records. */
@Feature({ admin: { ...PETS_ADMIN, name: 'zebras' } })
@Module({ controllers: [ZebrasController] })
export class ZebrasModule {}
