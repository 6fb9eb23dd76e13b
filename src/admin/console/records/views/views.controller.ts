import { Get, Param, Post } from '@nestjs/common';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { parseDecimalInt64 } from '../../../../platform/values/int64';
import type { ListFacts } from '../../../records/list-request';
import { RecordsService } from '../../../records/records.service';
import { ConsoleController } from '../../../../platform/features/console-controller.decorator';
import { type ConsoleRequest, CurrentRequest } from '../../http/console-request';
import { type FormFaults, formFaults } from '../../http/form-faults';
import {
  type Crumb,
  type ConsolePage,
  page,
  seeOther,
  type SeeOther,
} from '../../../../platform/features/console-page';
import { lastList } from '../last-list';
import { chosenColumns } from '../list/list-columns';
import { readListQuery } from '../list/list-query';
import { factsOf } from '../list/list-facts';
import { manyOf, titleOf } from '../../../records/record-names';
import { listPath, viewsPath } from '../record-paths';
import { RecordScope } from '../record-scope';
import { SavedViews, type ViewNaming, type ViewOfPerson } from './saved-views.service';
import { viewQuery, viewWords } from './view-query';
import { ViewNotFoundError } from './views.errors';

const NOTHING_TYPED: ViewNaming = { name: '', isShared: false };

/** Saves lists as views, and renames, shares and removes views. */
@ConsoleController('records')
export class ViewsController {
  constructor(
    private readonly views: SavedViews,
    private readonly records: RecordsService,
    private readonly scope: RecordScope,
  ) {}

  @Get(':kind/views')
  async list(@Param('kind') name: string, @CurrentRequest() request: ConsoleRequest): Promise<ConsolePage> {
    const { recordType, facts } = this.read(name);
    const views = (await this.views.list(recordType, request)).map((view) => ({
      ...view,
      path: `${listPath(recordType)}${view.query}`,
      words: viewWords(facts, view.query),
    }));
    return page('/records/views/list', {
      title: viewsTitle(recordType),
      trail: [lastList(recordType, request)],
      data: {
        views,
        many: manyOf(recordType),
        viewsPath: viewsPath(recordType),
        listPath: lastList(recordType, request).path,
      },
    });
  }

  @Get(':kind/views/new')
  ask(@Param('kind') name: string, @CurrentRequest() request: ConsoleRequest): ConsolePage {
    const { storedForm } = request;
    return this.newPage(name, request, storedForm ? readNaming(storedForm) : NOTHING_TYPED);
  }

  @Post(':kind/views/new')
  async save(
    @Param('kind') name: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const { recordType, facts } = this.read(name);
    const naming = readNaming(request.form);
    const query = queryIn(facts, request);
    if (query === undefined) return this.newPage(name, request, naming);
    try {
      const view = await this.views.save(recordType, query, naming, request);
      const notice = `The view ${view.name} was saved${view.isShared ? ', for all operators' : ''}.`;
      return seeOther(`${listPath(recordType)}${view.query}`, { notice });
    } catch (error) {
      return this.newPage(name, request, naming, formFaults(error));
    }
  }

  @Get(':kind/views/:id')
  async edit(
    @Param('kind') name: string,
    @Param('id') id: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage> {
    const { recordType, facts } = this.read(name);
    const view = await this.views.get(recordType, idIn(id), request);
    const { storedForm } = request;
    return this.editPage(facts, view, request, storedForm ? readNaming(storedForm) : view);
  }

  @Post(':kind/views/:id')
  async change(
    @Param('kind') name: string,
    @Param('id') id: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const { recordType, facts } = this.read(name);
    const view = await this.views.get(recordType, idIn(id), request);
    const naming = readNaming(request.form);
    try {
      const changed = await this.views.change(recordType, view.id, naming, request);
      return seeOther(viewsPath(recordType), { notice: `The view ${changed.name} was saved.` });
    } catch (error) {
      return this.editPage(facts, view, request, naming, formFaults(error));
    }
  }

  @Post(':kind/views/:id/remove')
  async remove(
    @Param('kind') name: string,
    @Param('id') id: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<SeeOther> {
    const { recordType } = this.read(name);
    const view = await this.views.remove(recordType, idIn(id), request);
    return seeOther(viewsPath(recordType), { notice: `The view ${view.name} was removed.` });
  }

  private read(name: string): { readonly recordType: AdminRecords; readonly facts: ListFacts } {
    const recordType = this.scope.recordTypeNamed(name);
    return { recordType, facts: factsOf(this.records, recordType) };
  }

  private newPage(
    name: string,
    request: ConsoleRequest,
    naming: ViewNaming,
    refused?: FormFaults,
  ): ConsolePage {
    const { recordType, facts } = this.read(name);
    const query = queryIn(facts, request);
    const faults = query === undefined ? { '': 'A list with faults cannot be saved.' } : {};
    return page('/records/views/form', {
      title: 'Save view',
      trail: [lastList(recordType, request)],
      status: refused?.status ?? (query === undefined ? 422 : 200),
      data: {
        ...formData(naming, query === undefined ? [] : viewWords(facts, query)),
        faults: refused?.faults ?? faults,
        path: request.address,
        cancelPath: lastList(recordType, request).path,
      },
    });
  }

  private editPage(
    { recordType, ...facts }: ListFacts,
    view: ViewOfPerson,
    request: ConsoleRequest,
    naming: ViewNaming,
    refused?: FormFaults,
  ): ConsolePage {
    const trail: Crumb[] = [
      lastList(recordType, request),
      { title: viewsTitle(recordType), path: viewsPath(recordType) },
    ];
    const path = `${viewsPath(recordType)}/${view.id}`;
    return page('/records/views/form', {
      title: view.name,
      trail,
      status: refused?.status ?? 200,
      data: {
        ...formData(naming, viewWords({ ...facts, recordType }, view.query)),
        faults: refused?.faults ?? {},
        path,
        removePath: `${path}/remove`,
        cancelPath: viewsPath(recordType),
      },
    });
  }
}

function viewsTitle(recordType: AdminRecords): string {
  return `Saved views of ${titleOf(recordType).toLowerCase()}`;
}

/** Reads the id of a view in an address. @throws ViewNotFoundError */
function idIn(text: string): bigint {
  const id = parseDecimalInt64(text);
  if (id === undefined) throw new ViewNotFoundError();
  return id;
}

/** Reads the form of a view. */
function readNaming(form: URLSearchParams): ViewNaming {
  return { name: form.get('name') ?? '', isShared: form.has('shared') };
}

function formData({ name, isShared }: ViewNaming, words: readonly string[]) {
  return { name, shared: isShared ? ['yes'] : [], words };
}

/** The query of the list that an address asks to save; undefined if the list cannot be shown. */
function queryIn(facts: ListFacts, request: ConsoleRequest): string | undefined {
  const query = readListQuery(facts, request.query);
  if (Object.keys(query.faults).length > 0) return undefined;
  return viewQuery(query, chosenColumns(facts, query.texts, request));
}
