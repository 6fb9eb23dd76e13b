import { join } from 'node:path';
import { Get, Post } from '@nestjs/common';
import { ConsoleController } from '../../../src/platform/features/console-controller.decorator';
import { type ConsoleForm, FormOf } from '../../../src/platform/features/console-form';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../src/platform/features/console-page';
import { ConsoleScopes } from '../../../src/platform/security/access.decorators';
import { ReferenceField, StringField } from '../../../src/platform/validation/fields';

/** A letter about a guest. */
class LetterDto {
  @StringField({ description: 'Who gets it.', example: 'Ana', isPersonal: true })
  recipient!: string;

  @ReferenceField('/guests', { description: 'The guest that it is about.', example: 10, optional: true })
  guestId?: bigint;
}

/** A page whose form asks for what identifies a person. */
@ConsoleController('guests/letters', { title: 'Letters' })
@ConsoleScopes('admin:letters')
export class LettersController {
  @Get()
  show(@FormOf(LetterDto) form: ConsoleForm<LetterDto>): ConsolePage {
    return page(join(__dirname, 'adoption-day.eta'), { title: 'Letters', form, data: { days: [] } });
  }

  @Post()
  async send(@FormOf(LetterDto) form: ConsoleForm<LetterDto>): Promise<SeeOther> {
    await form.once(async () => {});
    return seeOther('/admin/guests/letters');
  }
}

/** The same among the pages of one guest. */
@ConsoleController('guests/:guestId/letter')
@ConsoleScopes('admin:letters')
export class GuestLetterController extends LettersController {}
