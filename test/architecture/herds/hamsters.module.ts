import { Controller, Get, Module } from '@nestjs/common';
import { NoContentResponse } from '../../../src/platform/http/operations/response.decorators';
import { Public } from '../../../src/platform/security/access.decorators';

@Public()
@Controller('herds')
class HamstersController {
  @Get(':hamster')
  @NoContentResponse('Nothing.')
  findHamster(): void {}
}

/** A feature that is a Nest module and nothing else. */
@Module({ controllers: [HamstersController] })
export class HamstersModule {}
