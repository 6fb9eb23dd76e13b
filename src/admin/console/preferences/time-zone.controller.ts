import { Get, Post } from '@nestjs/common';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { readReturnPath } from '../http/return-path';
import { choiceCookie } from '../http/choice-cookie';
import { readTimeZone, TIME_ZONE_COOKIE, TIME_ZONES } from '../http/time-zone';

/** Sets the zone in which pages show times in this browser. */
@ConsoleController('time-zone')
export class TimeZoneController {
  @Get()
  ask(@CurrentRequest() { query }: ConsoleRequest): ConsolePage {
    const data = {
      wanted: readReturnPath(query.get('return')),
      zones: TIME_ZONES.map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    };
    return page('/preferences/time-zone', { title: 'Time zone', data });
  }

  @Post()
  choose(@CurrentRequest() { form }: ConsoleRequest): SeeOther {
    const zone = readTimeZone(form.get('own-zone') ?? form.get('zone'));
    const notice = `Times are shown in ${zone.replaceAll('_', ' ')}.`;
    const headers = choiceCookie(TIME_ZONE_COOKIE, zone);
    return seeOther(readReturnPath(form.get('return')), { notice, headers });
  }
}
