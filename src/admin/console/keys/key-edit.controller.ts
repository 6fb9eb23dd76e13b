import { Get, Param, Post } from '@nestjs/common';
import { LastManagingKeyError } from '../../../auth/api-keys.errors';
import { ApiKeysService } from '../../../auth/api-keys.service';
import { KeyUpdates } from '../../../auth/key-updates.service';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { InjectAdminRecords } from '../../../platform/features/admin-records.module';
import { OperationRegistry } from '../../../platform/http/operations/operation-registry';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { ConsoleScopes } from '../../../platform/security/access.decorators';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { today } from '../http/days';
import { formFaults } from '../http/form-faults';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { endIn, KEEP, type KeyForm, keyFormOf, LIFETIMES, readKeyForm } from './key-form';
import { scopeChoices } from './key-words';
import { KEYS } from './keys.controller';

/** Changes the name, owner, scopes and expiry of a key. */
@ConsoleController('keys')
@ConsoleScopes('admin:keys')
export class KeyEditController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly updates: KeyUpdates,
    private readonly registry: OperationRegistry,
    @InjectAdminRecords() private readonly recordTypes: readonly AdminRecords[],
  ) {}

  @Get(':id/edit')
  edit(@Param('id') id: string, @CurrentRequest() { storedForm }: ConsoleRequest): Promise<ConsolePage> {
    return this.formPage(id, storedForm && readKeyForm(storedForm));
  }

  @Post(':id/edit')
  async change(
    @Param('id') id: string,
    @CurrentRequest() { form }: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const values = readKeyForm(form);
    const { name, owner, scopes } = values;
    try {
      const expiresAt = endIn(values);
      const wanted = { name, owner: owner || null, scopes, ...(expiresAt !== undefined && { expiresAt }) };
      const changed = await this.updates.change(id, wanted, { evenLast: form.get('evenLast') === 'yes' });
      return seeOther(`${KEYS.path}/${id}`, { notice: `${changed.name} is changed.` });
    } catch (error) {
      const { faults, status } = formFaults(error);
      return this.formPage(id, values, faults, status, error instanceof LastManagingKeyError);
    }
  }

  private async formPage(
    id: string,
    values?: KeyForm,
    errors: Readonly<Record<string, string>> = {},
    status = 200,
    isLast = false,
  ): Promise<ConsolePage> {
    const key = await this.keys.show(id);
    return page('/keys/edit', {
      title: 'Edit API key',
      trail: [KEYS, { title: key.name, path: `${KEYS.path}/${id}` }],
      status,
      data: {
        key,
        values: values ?? keyFormOf(key),
        errors,
        isLast,
        scopes: scopeChoices(this.keys.knownScopes, this.registry.operations, this.recordTypes),
        lifetimes: [
          { value: KEEP, label: `Unchanged: ${key.expiresAt?.slice(0, 10) ?? 'never'}` },
          ...LIFETIMES,
        ],
        today: today(),
      },
    });
  }
}
