import { Post, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { ConsoleController, ConsolePublic } from '../../../platform/features/console-controller.decorator';
import { seeOther, type SeeOther } from '../../../platform/features/console-page';
import { readReturnPath } from '../http/return-path';
import { readFormOfStranger } from '../http/read-form';
import { choiceCookie } from '../http/choice-cookie';
import { readTheme, THEME_COOKIE } from '../http/theme';
import { SignInLimit } from '../sessions/sign-in-limit';

/** Sets how the pages look in this browser. */
@ConsoleController('theme')
export class ThemeController {
  constructor(private readonly limit: SignInLimit) {}

  @Post()
  @ConsolePublic()
  async choose(@Req() request: Request, @Res({ passthrough: true }) response: Response): Promise<SeeOther> {
    await this.limit.countForm(request);
    const form = await readFormOfStranger(request, response);
    const headers = choiceCookie(THEME_COOKIE, readTheme(form.get('theme')));
    return seeOther(readReturnPath(form.get('return')), { headers });
  }
}
