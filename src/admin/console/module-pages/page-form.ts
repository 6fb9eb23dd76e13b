import { Injectable, type Type } from '@nestjs/common';
import type { Request } from 'express';
import { AuditLog } from '../../../platform/audit/audit-log';
import type { Subject } from '../../../platform/audit/subject';
import { type ConsoleForm, ConsoleForms } from '../../../platform/features/console-form';
import { parseDecimalInt64 } from '../../../platform/values/int64';
import { fieldsOf, personalFields, type RecordField } from '../../records/record-fields';
import { type FieldTexts, readCreation } from '../../records/record-values';
import { RecordsService } from '../../records/records.service';
import type { ConsoleRequest } from '../http/console-request';
import { type FormFaults, formFaults } from '../http/form-faults';
import { fallbackTexts, formControls, typedTexts } from '../records/record/record-form';
import { offeredReferences } from '../records/record/related-records';
import { OneTimeForms } from '../sessions/one-time-forms';
import type { Field, Option } from '../ui/fields';

/** Type of the subject in the audit events of forms, whose id is the path of the page below `/admin`. No records are named so. */
const SUBJECT_TYPE = 'console';

const PREFIX = /^\/admin\//;

/** Makes the forms of pages of modules. */
@Injectable()
export class PageForms extends ConsoleForms {
  constructor(
    readonly oneTime: OneTimeForms,
    readonly audit: AuditLog,
    private readonly records: RecordsService,
  ) {
    super();
  }

  async of<Dto extends object>(
    dto: Type<Dto>,
    { consoleRequest, exchange }: Request,
  ): Promise<ConsoleForm<Dto>> {
    const request = consoleRequest as ConsoleRequest;
    const fields = fieldsOf(dto);
    const sent = request.form.size > 0 ? request.form : request.storedForm;
    const texts = sent ? typedTexts(fields, sent) : fallbackTexts(fields);
    const offered = await offeredReferences(this.records, fields, texts);
    return new PageForm(this, {
      dto,
      fields,
      texts,
      offered,
      request,
      action: actionOf(exchange.operation?.path ?? request.path),
    });
  }

  /** Finds the record whose page has a path, such as `/admin/orders/17/dispatch`, if it is the page of one. */
  recordOfPage(path: string): Subject | undefined {
    const [type = '', id = ''] = path.replace(PREFIX, '').split('/');
    const isRecord = this.records.recordTypeNamed(type) && parseDecimalInt64(id) !== undefined;
    return isRecord ? { type, id } : undefined;
  }
}

/** Finds the record that a form chooses, unless it chooses none or several. */
function recordChosen(fields: readonly RecordField[], values: object): Subject | undefined {
  const chosen = fields.flatMap(({ name, kind, refersTo }) => {
    const id = (values as Readonly<Record<string, unknown>>)[name];
    return refersTo !== undefined && kind !== 'array' && typeof id === 'bigint'
      ? [{ type: refersTo, id: String(id) }]
      : [];
  });
  return chosen.length === 1 ? chosen[0] : undefined;
}

/** Parts of a form. */
interface FormContent<Dto> {
  readonly dto: Type<Dto>;
  readonly fields: readonly RecordField[];
  /** Texts by field, as typed. */
  readonly texts: FieldTexts;
  /** Records to choose from, by field. */
  readonly offered: ReadonlyMap<string, readonly Option[]>;
  readonly request: ConsoleRequest;
  /** Action of its audit event. */
  readonly action: string;
}

class PageForm<Dto extends object> implements ConsoleForm<Dto> {
  constructor(
    private readonly forms: PageForms,
    private readonly content: FormContent<Dto>,
    private readonly refusal: FormFaults = { status: 200, faults: {} },
  ) {}

  get fields(): Field[] {
    const { fields, texts, offered } = this.content;
    return formControls(fields, texts, this.faults, offered);
  }

  get faults(): FormFaults['faults'] {
    return this.refusal.faults;
  }

  get status(): number {
    return this.refusal.status;
  }

  async once<Result>(work: (values: Dto) => Promise<Result>): Promise<Result> {
    const { dto, texts, request, action, fields } = this.content;
    const values = readCreation(dto, texts);
    return this.forms.oneTime.runOnce(request.form, async () => {
      // First: in read-only mode nothing of the work may run.
      await this.forms.audit.record({
        action,
        subject: { type: SUBJECT_TYPE, id: request.path.replace(PREFIX, '') },
        after: values,
        personal: personalFields(dto),
        person: this.forms.recordOfPage(request.path) ?? recordChosen(fields, values),
      });
      return work(values);
    });
  }

  refused(error: unknown): ConsoleForm<Dto> {
    return new PageForm(this.forms, this.content, formFaults(error, this.content.fields));
  }
}

/** The action that a page is about: `orders.dispatch` of `/admin/orders/:orderId/dispatch`. */
function actionOf(path: string): string {
  const segments = path.replace(PREFIX, '').split('/');
  return segments.filter((segment) => !segment.startsWith(':')).join('.');
}
