import { Post } from '@nestjs/common';
import { stringifySetCookie } from 'cookie';
import { ConsoleController, ConsolePublic } from '../console-controller.decorator';
import { seeOther, type SeeOther } from '../page';
import { readReturnPath } from '../return-path';
import { CurrentRequest, type ConsoleRequest } from '../console-request';
import { readTheme, THEME_COOKIE } from './theme';

const A_YEAR_S = 365 * 24 * 3_600;

/** Sets how the pages look in this browser. */
@ConsoleController('theme')
export class ThemeController {
  @Post()
  @ConsolePublic()
  choose(@CurrentRequest() { form }: ConsoleRequest): SeeOther {
    const cookie = stringifySetCookie({
      name: THEME_COOKIE,
      value: readTheme(form.get('theme')),
      path: '/admin',
      httpOnly: true,
      sameSite: 'strict',
      maxAge: A_YEAR_S,
    });
    return seeOther(readReturnPath(form.get('return')), { headers: { 'Set-Cookie': cookie } });
  }
}
