import { Get } from '@nestjs/common';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { type ConsolePage, page } from '../../../platform/features/console-page';
import { Answers } from './answers.service';

/** The page with the questions. */
export const HELP = { title: 'Help', path: '/admin/help' } as const;

/** Answers questions that operators have. */
@ConsoleController('help')
export class HelpController {
  constructor(private readonly answers: Answers) {}

  @Get()
  show(): ConsolePage {
    const { lead, topics } = this.answers;
    return page('/help/help', { title: HELP.title, data: { lead, topics } });
  }
}
