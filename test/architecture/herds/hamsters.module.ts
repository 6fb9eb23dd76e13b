import { Controller, Get, Module } from '@nestjs/common';
import { AnswersNothing } from '../../../src/platform/http/operations/answer.decorators';
import { Public } from '../../../src/platform/security/access.decorators';

@Public()
@Controller('herds')
class HamstersController {
  @Get(':hamster')
  @AnswersNothing('Nothing.')
  findHamster(): void {}
}

/** A feature that is a Nest module and nothing else. */
@Module({ controllers: [HamstersController] })
export class HamstersModule {}
