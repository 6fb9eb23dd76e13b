import { Get, Post } from '@nestjs/common';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { readReturnPath } from '../http/return-path';
import { readTimeZone, TIME_ZONE, TIME_ZONES } from '../http/time-zone';
import { PersonChoices } from '../sessions/person-choices.service';

/** Sets the zone in which pages show times to a person. */
@ConsoleController('time-zone')
export class TimeZoneController {
  constructor(private readonly choices: PersonChoices) {}

  @Get()
  ask(@CurrentRequest() { query }: ConsoleRequest): ConsolePage {
    const data = {
      wanted: readReturnPath(query.get('return')),
      zones: TIME_ZONES.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    };
    return page('/preferences/time-zone', { title: 'Time zone', data });
  }

  @Post()
  async choose(@CurrentRequest() { form, session }: ConsoleRequest): Promise<SeeOther> {
    const zone = readTimeZone(form.get('own-zone') ?? form.get('zone'));
    await this.choices.choose(session, TIME_ZONE, zone);
    const notice = `Times are shown in ${zone.replaceAll('_', ' ')}.`;
    return seeOther(readReturnPath(form.get('return')), { notice });
  }
}
