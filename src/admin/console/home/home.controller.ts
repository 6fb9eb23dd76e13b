import { Get } from '@nestjs/common';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { ConsoleNavigation } from '../frame/navigation';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { CurrentRequest, type ConsoleRequest } from '../http/console-request';

/** Redirects `/admin` to the first page of the navigation. */
@ConsoleController()
export class HomeController {
  constructor(private readonly navigation: ConsoleNavigation) {}

  @Get()
  home(@CurrentRequest() request: ConsoleRequest): ConsolePage | SeeOther {
    const [first] = this.navigation.linksFor(request);
    return first ? seeOther(first.path) : page('/home/home', { title: 'Console' });
  }
}
