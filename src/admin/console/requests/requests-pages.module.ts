import { Module } from '@nestjs/common';
import { RequestsModule } from '../../requests/requests.module';
import { ConsoleModule } from '../console.module';
import { ConsoleNavigation } from '../frame/navigation';
import { REQUESTS, RequestsController } from './requests.controller';

/** The pages of the request log. */
@Module({ imports: [ConsoleModule, RequestsModule], controllers: [RequestsController] })
export class RequestsPagesModule {
  constructor(navigation: ConsoleNavigation) {
    navigation.add({ ...REQUESTS, icon: 'search', order: 25 });
  }
}
