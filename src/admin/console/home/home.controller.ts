import { Get } from '@nestjs/common';
import { ConsoleController } from '../console-controller.decorator';
import { ConsoleNavigation } from '../navigation';
import { type Page, page, seeOther, type SeeOther } from '../page';
import { CurrentVisit, type Visit } from '../visit';

/** `/admin` leads to the first page of the navigation. */
@ConsoleController()
export class HomeController {
  constructor(private readonly navigation: ConsoleNavigation) {}

  @Get()
  home(@CurrentVisit() visit: Visit): Page | SeeOther {
    const [first] = this.navigation.linksFor(visit);
    return first ? seeOther(first.path) : page('/home/home', { title: 'Console' });
  }
}
