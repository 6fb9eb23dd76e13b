import { join } from 'node:path';
import { Get, Post } from '@nestjs/common';
import { defineError } from '../../../src/platform/errors/app-error';
import { ConsoleController } from '../../../src/platform/features/console-controller.decorator';
import { type ConsoleForm, FormOf } from '../../../src/platform/features/console-form';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../src/platform/features/console-page';
import { ConsoleScopes } from '../../../src/platform/security/access.decorators';
import { IntegerField, StringField } from '../../../src/platform/validation/fields';

/** An announcement of a day on which guests look for homes. */
class AdoptionDayDto {
  @StringField({ description: 'Where it is.', example: 'Bern', maxLength: 20 })
  town!: string;

  @IntegerField({ description: 'How many visitors are expected.', example: 40, minimum: 1, optional: true })
  visitors?: number;
}

const TooManyDaysError = defineError({
  code: 'too_many_days',
  status: 409,
  message: 'There are days enough in this town.',
  isForOperators: true,
});

/** A page of a module, with a form. */
@ConsoleController('guests/days', { title: 'Adoption days', icon: 'calendar' })
@ConsoleScopes('admin:days')
export class AdoptionDayController {
  private readonly days: AdoptionDayDto[] = [];

  @Get()
  show(@FormOf(AdoptionDayDto) form: ConsoleForm<AdoptionDayDto>): ConsolePage {
    const data = { days: this.days };
    return page(join(__dirname, 'adoption-day.eta'), { title: 'Adoption days', form, data });
  }

  @Post()
  async announce(@FormOf(AdoptionDayDto) form: ConsoleForm<AdoptionDayDto>): Promise<ConsolePage | SeeOther> {
    try {
      const { town } = await form.once(async (day) => {
        if (this.days.some((other) => other.town === day.town)) throw new TooManyDaysError();
        this.days.push(day);
        return day;
      });
      return seeOther('/admin/guests/days', { notice: `The day in ${town} was announced.` });
    } catch (error) {
      return this.show(form.refused(error));
    }
  }
}

/** A page that forgets to say who may send its form. */
@ConsoleController('guests/careless')
export class CarelessController {
  @Post()
  send(): SeeOther {
    return seeOther('/admin');
  }
}
