import { Module } from '@nestjs/common';
import { ConsoleModule } from '../console.module';
import { ConsoleNavigation } from '../frame/navigation';
import { Answers } from './answers.service';
import { HELP, HelpController } from './help.controller';

/** The page that answers questions. */
@Module({
  imports: [ConsoleModule],
  controllers: [HelpController],
  providers: [Answers],
  exports: [Answers],
})
export class HelpPagesModule {
  constructor(navigation: ConsoleNavigation) {
    navigation.add({ ...HELP, icon: 'book', order: 60 });
  }
}
