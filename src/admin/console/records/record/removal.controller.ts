import { Get, Param, Post } from '@nestjs/common';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { fieldsOf } from '../../../records/record-fields';
import { RecordsService } from '../../../records/records.service';
import type { StoredRecord } from '../../../records/stored-record';
import { ConsoleController } from '../../../../platform/features/console-controller.decorator';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../../../platform/features/console-page';
import { CurrentRequest, type ConsoleRequest } from '../../http/console-request';
import { type FormFaults, formFaults } from '../../http/form-faults';
import { recordTitle } from '../../../records/record-title';
import { lastList } from '../last-list';
import { VERSION } from './record-form';
import { recordPath } from '../record-paths';
import { ChangeNotices } from './change-notices';
import { RecordScope } from '../record-scope';
import { valueHtml, valueView } from '../fields/value-html';

/** Removes a record, after asking for confirmation. */
@ConsoleController('records')
export class RemovalController {
  constructor(
    private readonly records: RecordsService,
    private readonly scope: RecordScope,
    private readonly changes: ChangeNotices,
  ) {}

  @Get(':kind/:id/remove')
  async ask(
    @Param('kind') name: string,
    @Param('id') id: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage> {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireAction(recordType, request, 'remove');
    return this.question(recordType, await this.scope.recordWithId(recordType, id), request);
  }

  @Post(':kind/:id/remove')
  async remove(
    @Param('kind') name: string,
    @Param('id') idText: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const recordType = this.scope.recordTypeNamed(name);
    this.scope.requireAction(recordType, request, 'remove');
    const record = await this.scope.recordWithId(recordType, idText);
    const { id } = record.values;
    try {
      await this.records.remove(recordType, id, request.form.get(VERSION) ?? '');
    } catch (error) {
      return this.question(recordType, record, request, formFaults(error, []));
    }
    const path = this.records.actionsOf(recordType).restore
      ? recordPath(recordType, id)
      : lastList(recordType, request).path;
    return seeOther(path, {
      notice: await this.changes.notice(recordType, id, `The ${recordType.one} ${id} was removed.`),
    });
  }

  private question(
    recordType: AdminRecords,
    record: StoredRecord,
    request: ConsoleRequest,
    refused?: FormFaults,
  ): ConsolePage {
    const title = recordTitle(recordType, record);
    const path = recordPath(recordType, record.values.id);
    const view = valueView(this.records.recordTypes, request);
    return page('/records/record/remove', {
      title: `Remove ${title}?`,
      trail: [lastList(recordType, request), { title, path }],
      status: refused?.status ?? 200,
      data: {
        recordType,
        path,
        isKept: this.records.actionsOf(recordType).restore,
        faults: refused?.faults ?? {},
        version: { name: VERSION, value: record.version },
        facts: fieldsOf(recordType.record).map((field) => ({
          label: field.label,
          value: valueHtml(view, field, record.values[field.name]),
        })),
      },
    });
  }
}
