import { Post } from '@nestjs/common';
import { ConsoleController, ConsolePublic } from '../../../platform/features/console-controller.decorator';
import { seeOther, type SeeOther } from '../../../platform/features/console-page';
import { readReturnPath } from '../http/return-path';
import { CurrentRequest, type ConsoleRequest } from '../http/console-request';
import { choiceCookie } from '../http/choice-cookie';
import { readTheme, THEME_COOKIE } from '../http/theme';

/** Sets how the pages look in this browser. */
@ConsoleController('theme')
export class ThemeController {
  @Post()
  @ConsolePublic()
  choose(@CurrentRequest() { form }: ConsoleRequest): SeeOther {
    const headers = choiceCookie(THEME_COOKIE, readTheme(form.get('theme')));
    return seeOther(readReturnPath(form.get('return')), { headers });
  }
}
