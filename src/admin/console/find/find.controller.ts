import { Get, Headers } from '@nestjs/common';
import { looksLikeToken, tokenHint } from '../../../platform/security/api-key-token';
import { ConsoleController } from '../frame/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { type ConsolePage, page, seeOther, type SeeOther } from '../http/page';
import { FindService } from './find.service';

/** Length to which the text to find is cut, in characters. */
const MAX_LENGTH = 200;

/** One search box for everything: a single result leads straight to its page. */
@ConsoleController('find')
export class FindController {
  constructor(private readonly finding: FindService) {}

  @Get()
  async find(
    @CurrentRequest() request: ConsoleRequest,
    @Headers('hx-request') isTyping?: string,
  ): Promise<ConsolePage | SeeOther> {
    const text = (request.query.get('q') ?? '').trim().slice(0, MAX_LENGTH);
    // The hint of a key finds it as well; the whole key must not appear in a page or in the history of the browser.
    if (looksLikeToken(text)) return seeOther(`/admin/find?q=${encodeURIComponent(tokenHint(text))}`);
    const groups = await this.finding.find(text, request);
    const [only, ...more] = groups.flatMap(({ items }) => items);
    // A request of htmx means that the person is still typing and has not chosen yet.
    if (only && more.length === 0 && isTyping === undefined) return seeOther(only.path);
    return page('/find/find', { title: 'Find', data: { text, groups } });
  }
}
