import { Get, Headers } from '@nestjs/common';
import { looksLikeToken, tokenHint } from '../../../platform/security/api-key-token';
import { ConsoleController } from '../console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../console-request';
import { type Page, page, seeOther, type SeeOther } from '../page';
import { FindService } from './find.service';

/** Longest text that is looked for, in characters. */
const MAX_LENGTH = 200;

/** One box for everything: what is typed leads to the page of what it names. */
@ConsoleController('find')
export class FindController {
  constructor(private readonly finding: FindService) {}

  @Get()
  async find(
    @CurrentRequest() request: ConsoleRequest,
    @Headers('hx-request') isTyping?: string,
  ): Promise<Page | SeeOther> {
    const text = (request.query.get('q') ?? '').trim().slice(0, MAX_LENGTH);
    // What the console knows of a key finds it as well; the whole of it is to stand in no page and no history of the browser.
    if (looksLikeToken(text)) return seeOther(`/admin/find?q=${encodeURIComponent(tokenHint(text))}`);
    const groups = await this.finding.find(text, request);
    const [only, ...more] = groups.flatMap(({ items }) => items);
    // While a person types they have not chosen yet.
    if (only && more.length === 0 && isTyping === undefined) return seeOther(only.path);
    return page('/find/find', { title: 'Find', data: { text, groups } });
  }
}
