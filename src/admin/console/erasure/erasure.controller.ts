import { Readable } from 'node:stream';
import { Get, Post, Res, StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { type Subject, subjectOf, subjectText } from '../../../platform/audit/subject';
import { ConsoleController } from '../../../platform/features/console-controller.decorator';
import {
  type ConsolePage,
  type Notice,
  page,
  seeOther,
  type SeeOther,
} from '../../../platform/features/console-page';
import { ConsoleScopes } from '../../../platform/security/access.decorators';
import { isStorableText } from '../../../platform/values/kinds/text.kind';
import { AuditTrailService } from '../../audit/audit-trail.service';
import { type Erasure, ERASURE_ACTION, ErasureService } from '../../records/erasure/erasure.service';
import { erasureInWords, nothingPersonal } from '../../records/erasure/erasure-words';
import { type HeldCounts, HeldService, MOST_HELD } from '../../records/erasure/held.service';
import { PageNotFoundError } from '../console.errors';
import { ConsoleNavigation } from '../frame/navigation';
import { besideRequests } from '../http/beside-requests';
import { type ConsoleRequest, CurrentRequest } from '../http/console-request';
import { PAGE_HEADERS } from '../http/page-headers';
import { readRowId } from '../http/row-id';
import { AUDIT } from '../audit/audit.controller';

const TITLE = 'Erase a person';
const PATH = `${AUDIT.path}/erase`;

const MALFORMED = 'Write the subject as orders/17 or keys/key_0123456789abcdef.';

/** Length limit of a reason, in UTF-16 units. */
const MAX_REASON = 500;

/** Names of what is held, in the order of the page. */
const LABELS: Readonly<Record<keyof HeldCounts, string>> = {
  record: 'Record',
  apiKeys: 'API key',
  auditEvents: 'Audit events about the subject',
  changesMade: 'Audit events of changes that the subject made',
  eventsAboutOthers: 'Other audit events with values of the subject',
  clientChanges: 'Changes by API clients, with their addresses',
  storedEvents: 'Stored events',
  idempotentResponses: 'Responses kept for repetitions',
  keptForms: 'Forms kept during a sign-in',
  sessions: 'Sessions',
  savedViews: 'Saved views',
  jobRuns: 'Runs of jobs that the subject began',
};

/** Texts typed into the form, with the subject that its page is about. */
interface ErasureForm {
  readonly subject: string;
  readonly reason: string;
  readonly confirmation: string;
}

/** Shows what is held of a person, and erases it. */
@ConsoleController('audit/erase')
@ConsoleScopes('admin:erasures')
export class ErasureController {
  constructor(
    private readonly holdings: HeldService,
    private readonly erasures: ErasureService,
    private readonly trail: AuditTrailService,
    private readonly navigation: ConsoleNavigation,
  ) {}

  @Get()
  async ask(@CurrentRequest() request: ConsoleRequest): Promise<ConsolePage> {
    const form = readErasureForm(request.storedForm ?? request.query);
    if (form.subject === '') return formPage({ values: form, errors: {} });
    const subject = subjectOf(form.subject);
    if (!subject) return formPage({ values: form, errors: { subject: MALFORMED } });
    return this.subjectPage(subject, form, request);
  }

  /** Gives all that is held as a file. */
  @Get('held')
  file(
    @CurrentRequest() request: ConsoleRequest,
    @Res({ passthrough: true }) response: Response,
  ): StreamableFile {
    const subject = subjectOf(request.query.get('subject') ?? '');
    if (!subject) throw new PageNotFoundError('There is no such subject.');
    const name = subjectText(subject).replaceAll(/[^\w-]+/g, '-');
    response.set({
      ...PAGE_HEADERS,
      'Content-Type': 'application/json; charset=utf-8',
      'Content-Disposition': `attachment; filename="${name}.json"`,
    });
    // With this mark, a page is read from the database only once the browser has taken the one before.
    return new StreamableFile(
      Readable.from(besideRequests(this.holdings.json(subject)), { highWaterMark: 1 }),
    );
  }

  @Post()
  async erase(@CurrentRequest() request: ConsoleRequest): Promise<ConsolePage | SeeOther> {
    const form = readErasureForm(request.form);
    const subject = subjectOf(form.subject);
    if (!subject) return formPage({ values: form, errors: { subject: MALFORMED } });
    const faults = faultsOf(form);
    if (Object.keys(faults).length > 0) return this.subjectPage(subject, form, request, faults);
    const erasure = await this.erasures.erase(subject, form.reason);
    const address = new URLSearchParams({ subject: form.subject, event: String(erasure.event) });
    return seeOther(`${PATH}?${address.toString()}`, { notice: noticeOf(subject, erasure) });
  }

  private async subjectPage(
    subject: Subject,
    form: ErasureForm,
    request: ConsoleRequest,
    faults: Readonly<Record<string, string>> = {},
  ): Promise<ConsolePage> {
    const name = subjectText(subject);
    const counts = await this.holdings.count(subject);
    const ofSubject = { subjectType: subject.type, subjectId: subject.id };
    const path = (await this.navigation.pagesOf([ofSubject], request)).get(ofSubject);
    const links: Partial<Record<keyof HeldCounts, string | undefined>> = {
      record: path,
      apiKeys: path,
      auditEvents: `${AUDIT.path}?${new URLSearchParams({ subject: name }).toString()}`,
      changesMade: `${AUDIT.path}?${new URLSearchParams({ actor: subject.id }).toString()}`,
    };
    const held = (Object.keys(LABELS) as (keyof HeldCounts)[])
      .filter((each) => counts[each] > 0)
      .map((each) => ({ label: LABELS[each], count: countOf(counts[each]), path: links[each] }));
    const staying = await this.holdings.staying(subject);
    return formPage({
      values: form,
      errors: faults,
      name,
      held,
      file: `${PATH}/held?${new URLSearchParams({ subject: name }).toString()}`,
      staying: staying && { ...staying, path },
      notPersonal: this.holdings.hasPersonalFields(subject) ? undefined : nothingPersonal(subject.type),
      isOwn: subject.id === request.operator.actor,
      done: await this.erasureOf(name, request),
    });
  }

  /** The event of an erasure that has just been made, by the address of the page. */
  private async erasureOf(name: string, { query }: ConsoleRequest) {
    const id = readRowId(query.get('event') ?? '');
    const event = id === undefined ? undefined : await this.trail.find(id);
    const isIt = event?.action === ERASURE_ACTION && `${event.subjectType}/${event.subjectId}` === name;
    return isIt ? { path: `${AUDIT.path}/${event.id}`, at: event.at } : undefined;
  }
}

/** Data of the page: the form alone until a subject is named. */
interface ErasurePageData {
  readonly values: ErasureForm;
  readonly errors: Readonly<Record<string, string>>;
  readonly [more: string]: unknown;
}

function formPage(data: ErasurePageData): ConsolePage {
  const status = Object.keys(data.errors).length > 0 ? 422 : 200;
  return page('/erasure/erasure', { title: TITLE, trail: [AUDIT], status, data: { ...data, path: PATH } });
}

function readErasureForm(fields: URLSearchParams): ErasureForm {
  const text = (name: string) => (fields.get(name) ?? '').trim();
  return { subject: text('subject'), reason: text('reason'), confirmation: text('confirmation') };
}

function faultsOf({ subject, reason, confirmation }: ErasureForm): Record<string, string> {
  const isReasonGood = reason !== '' && reason.length <= MAX_REASON && isStorableText(reason);
  return {
    ...(!isReasonGood && { reason: `Enter a reason of at most ${MAX_REASON} characters.` }),
    ...(confirmation !== subject && { confirmation: `Type ${subject} to confirm.` }),
  };
}

function countOf(count: number): string {
  return count > MOST_HELD ? `more than ${MOST_HELD.toLocaleString('en')}` : count.toLocaleString('en');
}

function noticeOf(subject: Subject, erasure: Erasure): Notice {
  const sentences = erasureInWords(subject, erasure);
  return { tone: sentences.length > 1 ? 'warning' : 'success', text: sentences.join(' ') };
}
