import { Module } from '@nestjs/common';
import { FindModule } from '../../find/find.module';
import { ConsoleModule } from '../console.module';
import { HelpPagesModule } from '../help/help.module';
import { FindController } from './find.controller';

/** The page that finds anything that has a page in the console. */
@Module({ imports: [ConsoleModule, FindModule, HelpPagesModule], controllers: [FindController] })
export class FindPagesModule {}
