import { Get, Param, Post } from '@nestjs/common';
import { ApiKeysService } from '../../../auth/api-keys.service';
import { KeyUpdates } from '../../../auth/key-updates.service';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { ConsoleScopes } from '../../../platform/security/access.decorators';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { formFaults } from '../http/form-faults';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { KEYS } from './keys.controller';
import { readRuleForm, type RuleForm, ruleFormOf, rulesOfForm } from './rule-form';

/** Changes the networks and limits of a key. */
@ConsoleController('keys')
@ConsoleScopes('admin:keys')
export class KeyRulesController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly updates: KeyUpdates,
  ) {}

  @Get(':id/rules')
  async show(
    @Param('id') id: string,
    @CurrentRequest() { storedForm }: ConsoleRequest,
  ): Promise<ConsolePage> {
    return this.formPage(id, storedForm && readRuleForm(storedForm));
  }

  @Post(':id/rules')
  async change(
    @Param('id') id: string,
    @CurrentRequest() { form }: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const values = readRuleForm(form);
    try {
      const { name } = await this.updates.change(id, rulesOfForm(values));
      return seeOther(`${KEYS.path}/${id}`, { notice: `The networks and limits of ${name} were changed.` });
    } catch (error) {
      return this.formPage(id, values, formFaults(error).faults);
    }
  }

  private async formPage(
    id: string,
    values?: RuleForm,
    errors: Readonly<Record<string, string>> = {},
  ): Promise<ConsolePage> {
    const key = await this.keys.show(id);
    return page('/keys/rules', {
      title: 'Networks and limits',
      trail: [KEYS, { title: key.name, path: `${KEYS.path}/${id}` }],
      status: Object.keys(errors).length > 0 ? 422 : 200,
      data: { key, values: values ?? ruleFormOf(key), errors },
    });
  }
}
