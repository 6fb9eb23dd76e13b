import { Get, Param, Post } from '@nestjs/common';
import type { AdminRecords } from '../../../../platform/features/admin-records';
import { fieldsOf } from '../../../records/record-fields';
import { RecordsService } from '../../../records/records.service';
import type { StoredRecord } from '../../../records/stored-record';
import { ConsoleController } from '../../frame/console-controller.decorator';
import { type ConsolePage, page, seeOther, type SeeOther } from '../../http/page';
import { CurrentRequest, type ConsoleRequest } from '../../http/console-request';
import { type FormFaults, formFaults } from '../../http/form-faults';
import { recordTitle } from '../fields/record-title';
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
    const kind = this.scope.kindNamed(name);
    this.scope.requireAction(kind, request, 'remove');
    return this.question(kind, await this.scope.recordWithId(kind, id), request);
  }

  @Post(':kind/:id/remove')
  async remove(
    @Param('kind') name: string,
    @Param('id') idText: string,
    @CurrentRequest() request: ConsoleRequest,
  ): Promise<ConsolePage | SeeOther> {
    const kind = this.scope.kindNamed(name);
    this.scope.requireAction(kind, request, 'remove');
    const record = await this.scope.recordWithId(kind, idText);
    const { id } = record.values;
    try {
      await this.records.remove(kind, id, request.form.get(VERSION) ?? '');
    } catch (error) {
      return this.question(kind, record, request, formFaults(error, []));
    }
    const path = this.records.actionsOf(kind).restore ? recordPath(kind, id) : lastList(kind, request).path;
    return seeOther(path, {
      notice: await this.changes.notice(kind, id, `The ${kind.one} ${id} was removed.`),
    });
  }

  private question(
    kind: AdminRecords,
    record: StoredRecord,
    request: ConsoleRequest,
    refused?: FormFaults,
  ): ConsolePage {
    const title = recordTitle(kind, record);
    const path = recordPath(kind, record.values.id);
    const view = valueView(this.records.kinds, request);
    return page('/records/record/remove', {
      title: `Remove ${title}?`,
      trail: [lastList(kind, request), { title, path }],
      status: refused?.status ?? 200,
      data: {
        kind,
        path,
        isKept: this.records.actionsOf(kind).restore,
        faults: refused?.faults ?? {},
        version: { name: VERSION, value: record.version },
        facts: fieldsOf(kind.record).map((field) => ({
          label: field.label,
          value: valueHtml(view, field, record.values[field.name]),
        })),
      },
    });
  }
}
