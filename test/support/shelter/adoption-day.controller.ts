import { join } from 'node:path';
import { Get, Post } from '@nestjs/common';
import { settingKinds } from '../../../src/platform/config/module-setting-kinds';
import type { InferSettings, SettingsDeclaration } from '../../../src/platform/config/setting';
import { InjectSettings } from '../../../src/platform/config/settings.module';
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

/** Refuses a day more than a town may have. */
export const TooManyDaysError = defineError({
  code: 'too_many_days',
  status: 409,
  message: 'There are days enough in this town.',
});

/** Settings of the module. */
export const SHELTER_SETTINGS = {
  SHELTER_DAYS_PER_TOWN: {
    kind: settingKinds.integer(1, 9),
    default: '1',
    description: 'Adoption days that one town may have.',
    example: '2',
  },
} satisfies SettingsDeclaration;

/** A page of a module, with a form. */
@ConsoleController('guests/days', { title: 'Adoption days', icon: 'calendar' })
@ConsoleScopes('admin:days')
export class AdoptionDayController {
  private readonly days: AdoptionDayDto[] = [];

  constructor(
    @InjectSettings(SHELTER_SETTINGS) private readonly settings: InferSettings<typeof SHELTER_SETTINGS>,
  ) {}

  @Get()
  show(@FormOf(AdoptionDayDto) form: ConsoleForm<AdoptionDayDto>): ConsolePage {
    const data = { days: this.days };
    return page(join(__dirname, 'adoption-day.eta'), { title: 'Adoption days', form, data });
  }

  @Post()
  async announce(@FormOf(AdoptionDayDto) form: ConsoleForm<AdoptionDayDto>): Promise<ConsolePage | SeeOther> {
    try {
      const { town } = await form.once(async (day) => {
        const there = this.days.filter((other) => other.town === day.town).length;
        if (there >= this.settings.shelterDaysPerTown) throw new TooManyDaysError();
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
