import { Get, Post } from '@nestjs/common';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { ReadOnlyMode } from '../../../platform/read-only/read-only-mode';
import { ConsoleScopes } from '../../../platform/security/access.decorators';
import { isStorableText, TEXT_RULE } from '../../../platform/values/kinds/text.kind';
import { ReadOnlyService } from '../../read-only/read-only.service';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { SYSTEM } from './system.controller';

/** Path of the page. */
const PATH = `${SYSTEM.path}/read-only`;

/** Characters of the reason, at most. */
const MAX_REASON = 200;

/** The page that asks before all nodes refuse changes, or accept them again. */
@ConsoleController('system/read-only')
@ConsoleScopes('admin:service')
export class ReadOnlyController {
  constructor(
    private readonly service: ReadOnlyService,
    private readonly mode: ReadOnlyMode,
  ) {}

  @Get()
  async show(@CurrentRequest() { storedForm }: ConsoleRequest): Promise<ConsolePage> {
    return this.formPage(storedForm?.get('reason') ?? '');
  }

  @Post('on')
  async switchOn(@CurrentRequest() { form }: ConsoleRequest): Promise<ConsolePage | SeeOther> {
    const reason = (form.get('reason') ?? '').trim();
    if (!isStorableText(reason) || reason.length > MAX_REASON)
      return this.formPage(reason, `The reason ${TEXT_RULE}, and at most ${MAX_REASON} characters.`);
    await this.service.switchOn(reason || null);
    await this.mode.refresh();
    return seeOther(PATH, { notice: 'Every node refuses changes in a moment.' });
  }

  @Post('off')
  async switchOff(): Promise<SeeOther> {
    await this.service.switchOff();
    await this.mode.refresh();
    return seeOther(SYSTEM.path, { notice: 'Every node accepts changes again in a moment.' });
  }

  private async formPage(reason: string, fault?: string): Promise<ConsolePage> {
    return page('/system/read-only', {
      title: 'Read-only mode',
      trail: [SYSTEM],
      status: fault === undefined ? 200 : 422,
      data: { ...(await this.service.view()), typed: reason, fault, maxLength: String(MAX_REASON) },
    });
  }
}
