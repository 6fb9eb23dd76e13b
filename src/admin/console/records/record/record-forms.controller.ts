import { Get, Param, Post } from '@nestjs/common';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { type FieldTexts, readCreation, readPatch } from '../../../records/record-values';
import { RecordChangedError } from '../../../records/records.errors';
import { RecordsService } from '../../../records/records.service';
import type { StoredRecord } from '../../../records/stored-record';
import { ConsoleController } from '../../../../platform/features/console-controller.decorator';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../../platform/features/console-page';
import { OneTimeForms } from '../../sessions/one-time-forms';
import { CurrentRequest, type ConsoleRequest } from '../../http/console-request';
import { formFaults } from '../../http/form-faults';
import { ChangeNotices, changeInWords } from './change-notices';
import { recordTitle } from '../../../records/record-title';
import { lastList } from '../last-list';
import { changesBetweenTexts } from './record-changes';
import {
  changedTexts,
  creationFields,
  fallbackTexts,
  formControls,
  formerTexts,
  patchFields,
  textsOf,
  typedTexts,
  VERSION,
  WAS,
} from './record-form';
import { listPath, recordPath } from '../record-paths';
import { RecordScope } from '../record-scope';
import { offeredReferences } from './related-records';
import { valueView } from '../fields/value-html';

/** The contents of a form that is shown. */
interface ShownForm {
  readonly texts: FieldTexts;
  /** Values of the fields and version of the record at the time the form was opened; those of the record by default. */
  readonly former?: FieldTexts;
  readonly version?: string;
  readonly status?: number;
  readonly faults?: Readonly<Record<string, string>>;
  /** Changes by another caller meanwhile; then the form shows the record as it is now. */
  readonly conflict?: { readonly message: string; readonly changes: object };
}

/** Adds records and changes them by forms. */
@ConsoleController('records')
export class RecordFormsController {
  constructor(
    private readonly records: RecordsService,
    private readonly scope: RecordScope,
    private readonly oneTime: OneTimeForms,
    private readonly changes: ChangeNotices,
  ) {}

  @Get(':kind/new')
  newForm(@Param('kind') name: string, @CurrentRequest() request: ConsoleRequest): Promise<ConsolePage> {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireAction(recordType, request, 'create');
    const { storedForm } = request;
    const fields = creationFields(recordType);
    return this.creationPage(recordType, request, {
      texts: storedForm ? typedTexts(fields, storedForm) : fallbackTexts(fields),
    });
  }

  @Post(':kind/new')
  async create(
    @Param('kind') name: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireAction(recordType, request, 'create');
    const fields = creationFields(recordType);
    const texts = typedTexts(fields, request.form);
    try {
      const creation = readCreation(recordType.creation as NonNullable<typeof recordType.creation>, texts);
      const { id } = await this.oneTime.runOnce(request.form, () =>
        this.records.create(recordType, creation),
      );
      return seeOther(recordPath(recordType, id), {
        notice: await this.changes.notice(recordType, id, `The ${recordType.one} ${id} was added.`),
      });
    } catch (error) {
      return this.creationPage(recordType, request, { texts, ...formFaults(error, fields) });
    }
  }

  @Get(':kind/:id/edit')
  async editForm(
    @Param('kind') name: string,
    @Param('id') id: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage> {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireAction(recordType, request, 'update');
    const record = await this.scope.recordWithId(recordType, id);
    const { storedForm } = request;
    const texts = textsOf(patchFields(recordType), record.values);
    if (!storedForm) return this.editPage(recordType, request, record, { texts });
    const sent = patchFields(recordType).filter((field) => storedForm.has(field.name));
    return this.editPage(recordType, request, record, {
      texts: { ...texts, ...typedTexts(sent, storedForm) },
      former: formerTexts(sent, storedForm),
      version: storedForm.get(VERSION) ?? '',
    });
  }

  /** Takes all fields of the form or some of them: the buttons on a record's page send one. */
  @Post(':kind/:id/edit')
  async update(
    @Param('kind') name: string,
    @Param('id') id: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireAction(recordType, request, 'update');
    return this.change(recordType, await this.scope.recordWithId(recordType, id), request);
  }

  private async change(
    recordType: AdminRecords,
    record: StoredRecord,
    request: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const { form } = request;
    const { id } = record.values;
    const fields = patchFields(recordType);
    const sent = fields.filter(({ name }) => form.has(name));
    const former = formerTexts(sent, form);
    const changed = changedTexts(sent, former, typedTexts(sent, form));
    const path = recordPath(recordType, id);
    if (Object.keys(changed).length === 0) {
      return seeOther(path, { notice: { tone: 'warning', text: 'Nothing was changed.' } });
    }
    const texts = { ...textsOf(fields, record.values), ...changed };
    try {
      const patch = readPatch(recordType.patch as NonNullable<typeof recordType.patch>, changed);
      await this.records.update(recordType, id, patch, form.get(VERSION) ?? '');
    } catch (error) {
      if (!(error instanceof RecordChangedError)) {
        return this.editPage(recordType, request, record, { texts, ...formFaults(error, fields) });
      }
      const now = await this.scope.recordWithId(recordType, String(id));
      return this.editPage(recordType, request, now, {
        status: 409,
        texts: { ...textsOf(fields, now.values), ...changed },
        conflict: {
          message: error.message,
          changes: changesBetweenTexts(
            valueView(this.records.recordTypes, request),
            sent,
            former,
            textsOf(sent, now.values),
            changed,
          ),
        },
      });
    }
    return seeOther(path, {
      notice: await this.changes.notice(
        recordType,
        id,
        `The ${recordType.one} ${id} was ${changeInWords(recordType, changed)}.`,
      ),
    });
  }

  private async creationPage(
    recordType: AdminRecords,
    request: ConsoleRequest,
    { texts, status, faults }: ShownForm,
  ): Promise<ConsolePage> {
    const fields = creationFields(recordType);
    return page('/records/record/new', {
      title: `Add ${recordType.one}`,
      trail: [lastList(recordType, request)],
      status: status ?? 200,
      data: {
        recordType,
        path: listPath(recordType),
        listPath: lastList(recordType, request).path,
        controls: formControls(fields, texts, faults, await offeredReferences(this.records, fields, texts)),
        faults: faults ?? {},
      },
    });
  }

  private async editPage(
    recordType: AdminRecords,
    request: ConsoleRequest,
    record: StoredRecord,
    { status, ...shown }: ShownForm,
  ): Promise<ConsolePage> {
    const fields = patchFields(recordType);
    const former = { ...textsOf(fields, record.values), ...shown.former };
    return page('/records/record/edit', {
      title: `Edit ${recordTitle(recordType, record)}`,
      trail: [
        lastList(recordType, request),
        { title: recordTitle(recordType, record), path: recordPath(recordType, record.values.id) },
      ],
      status: status ?? 200,
      data: {
        path: recordPath(recordType, record.values.id),
        version: { name: VERSION, value: shown.version ?? record.version },
        former: fields.map(({ name }) => ({ name: WAS + name, value: former[name] ?? '' })),
        controls: formControls(
          fields,
          shown.texts,
          shown.faults,
          await offeredReferences(this.records, fields, shown.texts),
        ),
        faults: shown.faults ?? {},
        conflict: shown.conflict,
      },
    });
  }
}
