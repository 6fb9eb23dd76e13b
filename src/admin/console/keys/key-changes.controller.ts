import type { Server } from 'node:http';
import { Get, Param, Post, Req } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { Request } from 'express';
import { LastManagingKeyError } from '../../../auth/api-keys.errors';
import { ApiKeysService } from '../../../auth/api-keys.service';
import type { IssuedApiKey, KeyView } from '../../../auth/dto/key-view';
import type { AdminRecords } from '../../../platform/features/admin-records';
import { InjectAdminRecords } from '../../../platform/features/admin-records.module';
import { OperationRegistry } from '../../../platform/http/operations/operation-registry';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { ConsoleScopes } from '../../../platform/security/access.decorators';
import { ServiceAddress } from '../../../platform/values/service-address';
import { today } from '../http/days';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { formFaults } from '../http/form-faults';
import { OneTimeForms } from '../sessions/one-time-forms';
import { CurrentRequest, type ConsoleRequest } from '../http/console-request';
import { firstCall, publicRoot } from './first-call';
import { endIn, type KeyForm, LIFETIMES, readKeyForm } from './key-form';
import { DEFAULT_OVERLAP, OVERLAPS, scopeChoices } from './key-words';
import { KEYS } from './keys.controller';
import { readRuleForm, type RuleForm, rulesOfForm } from './rule-form';

/** Texts typed into the form of a new key. */
type NewKeyForm = KeyForm & RuleForm;

const DISABLING = { template: '/keys/disable', title: 'Disable API key' } as const;
const REVOKING = { template: '/keys/revoke', title: 'Revoke API key' } as const;

/** Creates, rotates, disables and revokes API keys. */
@ConsoleController('keys')
@ConsoleScopes('admin:keys')
export class KeyChangesController {
  constructor(
    private readonly keys: ApiKeysService,
    private readonly forms: OneTimeForms,
    private readonly registry: OperationRegistry,
    private readonly adapterHost: HttpAdapterHost,
    private readonly address: ServiceAddress,
    @InjectAdminRecords() private readonly recordTypes: readonly AdminRecords[],
  ) {}

  @Get('new')
  newKey(@CurrentRequest() { storedForm = new URLSearchParams() }: ConsoleRequest): ConsolePage {
    return this.formPage(readNewKeyForm(storedForm));
  }

  @Post('new')
  async create(@Req() request: Request, @CurrentRequest() { form }: ConsoleRequest): Promise<ConsolePage> {
    const values = readNewKeyForm(form);
    const { name, owner, scopes } = values;
    try {
      const expiresAt = endIn(values);
      const issued = await this.forms.runOnce(form, () =>
        this.keys.create({
          name,
          scopes,
          ...(owner && { owner }),
          ...(expiresAt && { expiresAt }),
          ...rulesOfForm(values),
        }),
      );
      return this.issuedPage(issued, request);
    } catch (error) {
      return this.formPage(values, formFaults(error).faults);
    }
  }

  @Get(':id/rotate')
  async rotation(
    @Param('id') id: string,
    @CurrentRequest() { storedForm }: ConsoleRequest,
  ): Promise<ConsolePage> {
    const key = await this.keys.show(id);
    const data = { key, overlaps: OVERLAPS, chosen: storedForm?.get('overlap') ?? DEFAULT_OVERLAP };
    return page('/keys/rotate', { title: 'Rotate API key', trail: trailOf(key), data });
  }

  @Post(':id/rotate')
  async rotate(
    @Param('id') id: string,
    @Req() request: Request,
    @CurrentRequest() { form }: ConsoleRequest,
  ): Promise<ConsolePage> {
    const overlap = OVERLAPS.find(({ value }) => value === form.get('overlap')) ?? OVERLAPS[0];
    const rotated = await this.forms.runOnce(form, () => this.keys.rotate(id, Number(overlap.value)));
    return this.issuedPage(rotated, request, rotated.predecessor);
  }

  @Post(':id/disable')
  async disable(
    @Param('id') id: string,
    @CurrentRequest() { form }: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const disabled = await this.unlessLast(() => this.keys.disable(id, confirmedIn(form)));
    if (!disabled) return this.endPage(DISABLING, id, 409);
    const { name } = disabled;
    return seeOther(`${KEYS.path}/${id}`, { notice: `${name} is disabled: requests with it are refused.` });
  }

  @Post(':id/enable')
  async enable(@Param('id') id: string): Promise<SeeOther> {
    const { name } = await this.keys.enable(id);
    return seeOther(`${KEYS.path}/${id}`, { notice: `${name} works again.` });
  }

  @Get(':id/revoke')
  async revocation(@Param('id') id: string): Promise<ConsolePage> {
    return this.endPage(REVOKING, id);
  }

  @Post(':id/revoke')
  async revoke(
    @Param('id') id: string,
    @CurrentRequest() { form }: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const revoked = await this.unlessLast(() => this.keys.revoke(id, confirmedIn(form)));
    if (!revoked) return this.endPage(REVOKING, id, 409);
    const { name } = revoked;
    return seeOther(`${KEYS.path}/${id}`, { notice: `${name} is revoked for good.` });
  }

  /** Ends a key. @returns undefined if that has to be confirmed, because no other key may manage keys */
  private async unlessLast(work: () => Promise<KeyView>): Promise<KeyView | undefined> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof LastManagingKeyError) return undefined;
      throw error;
    }
  }

  /** Shows the page that asks before a key is ended. */
  private async endPage(
    { template, title }: typeof REVOKING | typeof DISABLING,
    id: string,
    status = 200,
  ): Promise<ConsolePage> {
    const key = await this.keys.show(id);
    const isLast = await this.keys.isLastManaging(id);
    return page(template, { title, trail: trailOf(key), status, data: { key, isLast } });
  }

  /** Shows a token. This is the only time it can be seen. */
  private issuedPage({ key, token }: IssuedApiKey, request: Request, predecessor?: KeyView): ConsolePage {
    const server = this.adapterHost.httpAdapter.getHttpServer() as Server;
    const root = publicRoot(request, this.address, server);
    return page('/keys/issued', {
      title: key.name,
      trail: [KEYS],
      data: {
        key,
        token,
        predecessor,
        isOver: predecessor?.status !== 'active',
        call: firstCall(key, this.registry.operations, root),
      },
    });
  }

  private formPage(values: NewKeyForm, errors: Readonly<Record<string, string>> = {}): ConsolePage {
    const isRefused = Object.keys(errors).length > 0;
    const data = {
      values,
      errors,
      scopes: scopeChoices(this.keys.knownScopes, this.registry.operations, this.recordTypes),
      lifetimes: LIFETIMES,
      today: today(),
    };
    return page('/keys/new', { title: 'New API key', trail: [KEYS], status: isRefused ? 422 : 200, data });
  }
}

function readNewKeyForm(form: URLSearchParams): NewKeyForm {
  return { ...readKeyForm(form), ...readRuleForm(form) };
}

/** Reads the confirmations of a form. */
function confirmedIn(form: URLSearchParams): { readonly evenLast: boolean } {
  return { evenLast: form.get('evenLast') === 'yes' };
}

function trailOf({ id, name }: IssuedApiKey['key']) {
  return [KEYS, { title: name, path: `${KEYS.path}/${id}` }];
}
