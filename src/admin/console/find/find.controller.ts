import { Get, Headers } from '@nestjs/common';
import { looksLikeToken } from '../../../platform/security/api-key-token';
import { FindService, type FindTarget, textToFind } from '../../find/find.service';
import { titleOf } from '../../records/record-names';
import { AUDIT } from '../audit/audit.controller';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import { ConsoleNavigation, type NavigationLink } from '../frame/navigation';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../platform/features/console-page';
import { Answers } from '../help/answers.service';
import { HELP } from '../help/help.controller';
import { KEYS } from '../keys/keys.controller';
import { recordPath } from '../records/record-paths';
import { REQUESTS } from '../requests/requests.controller';

/** Limit of pages of the navigation, and of answers, among the results. */
const MOST_PAGES = 5;

/** Title of the group of pages. */
const PAGES = 'Pages';

/** A result with its page. */
interface SearchResult {
  readonly title: string;
  readonly path: string;
  readonly note?: string;
}

/** One search box for everything: a single result leads straight to its page, and so does the title of a page. */
@ConsoleController('find')
export class FindController {
  constructor(
    private readonly finding: FindService,
    private readonly navigation: ConsoleNavigation,
    private readonly answers: Answers,
  ) {}

  @Get()
  async find(
    @CurrentRequest() request: ConsoleRequest,
    @Headers('hx-request') isTyping?: string,
  ): Promise<ConsolePage | SeeOther> {
    const typed = (request.query.get('q') ?? '').trim();
    const text = textToFind(typed);
    if (looksLikeToken(typed)) return seeOther(`/admin/find?q=${encodeURIComponent(text)}`);
    const groups = await this.groups(text, request);
    const found = groups.flatMap(({ items }) => items);
    const isSaid = ({ title }: SearchResult) => title.toLowerCase() === text.toLowerCase();
    const meant =
      found.length === 1 ? found[0] : groups.find(({ title }) => title === PAGES)?.items.find(isSaid);
    // A request of htmx means that the person is still typing and has not chosen yet.
    if (meant && isTyping === undefined) return seeOther(meant.path);
    return page('/find/find', { title: 'Find', data: { text, groups } });
  }

  private async groups(text: string, request: ConsoleRequest) {
    const groups = new Map<string, SearchResult[]>();
    if (text !== '') groups.set(PAGES, pagesCalled(text, this.navigation.linksFor(request)));
    const answers = this.answers.find(text).slice(0, MOST_PAGES);
    groups.set(
      HELP.title,
      answers.map(({ id, question }) => ({ title: question, path: `${HELP.path}#${id}` })),
    );
    for (const { target, ...result } of await this.finding.find(text)) {
      const { group, path } = pageOf(target);
      groups.set(group, [...(groups.get(group) ?? []), { ...result, path }]);
    }
    return [...groups].map(([title, items]) => ({ title, items })).filter(({ items }) => items.length > 0);
  }
}

/** The page of a result, and the group that it is shown in. */
function pageOf(target: FindTarget): { group: string; path: string } {
  switch (target.type) {
    case 'record':
      return { group: titleOf(target.recordType), path: recordPath(target.recordType, target.id) };
    case 'key':
      return { group: KEYS.title, path: `${KEYS.path}/${target.id}` };
    case 'request':
      return { group: REQUESTS.title, path: `${REQUESTS.path}/${target.id}` };
    case 'change':
      return { group: AUDIT.title, path: `${AUDIT.path}/${target.id}` };
    default:
      return { group: AUDIT.title, path: `${AUDIT.path}?${target.by}=${encodeURIComponent(target.value)}` };
  }
}

/** The pages of the navigation whose title contains a text. */
function pagesCalled(text: string, links: readonly NavigationLink[]): SearchResult[] {
  const part = text.toLowerCase();
  const called = links.filter(({ title }) => title.toLowerCase().includes(part));
  return called.slice(0, MOST_PAGES).map(({ title, path }) => ({ title, path }));
}
