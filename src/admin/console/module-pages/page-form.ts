import { Injectable, type Type } from '@nestjs/common';
import type { Request } from 'express';
import { AuditLog } from '../../../platform/audit/audit-log';
import { type ConsoleForm, ConsoleForms } from '../../../platform/features/console-form';
import { fieldsOf, type RecordField } from '../../records/record-fields';
import { type FieldTexts, readCreation } from '../../records/record-values';
import type { ConsoleRequest } from '../http/console-request';
import { type FormFaults, formFaults } from '../http/form-faults';
import { fallbackTexts, formControls, typedTexts } from '../records/record/record-form';
import { OneTimeForms } from '../sessions/one-time-forms';
import type { Field } from '../ui/fields';

/** Type of the subject in the audit events of forms, whose id is the path of the page below `/admin`. */
const SUBJECT_TYPE = 'pages';

/** Makes the forms of pages of modules. */
@Injectable()
export class PageForms extends ConsoleForms {
  constructor(
    readonly oneTime: OneTimeForms,
    readonly audit: AuditLog,
  ) {
    super();
  }

  of<Dto extends object>(dto: Type<Dto>, { consoleRequest }: Request): ConsoleForm<Dto> {
    return new PageForm(this, dto, consoleRequest as ConsoleRequest, { status: 200, faults: {} });
  }
}

class PageForm<Dto extends object> implements ConsoleForm<Dto> {
  private readonly definition: readonly RecordField[];
  private readonly texts: FieldTexts;

  constructor(
    private readonly forms: PageForms,
    private readonly dto: Type<Dto>,
    private readonly request: ConsoleRequest,
    private readonly refusal: FormFaults,
  ) {
    this.definition = fieldsOf(dto);
    const { form, storedForm } = request;
    const sent = form.size > 0 ? form : storedForm;
    this.texts = sent ? typedTexts(this.definition, sent) : fallbackTexts(this.definition);
  }

  get fields(): Field[] {
    return formControls(this.definition, this.texts, this.faults);
  }

  get faults(): FormFaults['faults'] {
    return this.refusal.faults;
  }

  get status(): number {
    return this.refusal.status;
  }

  async once<Result>(work: (values: Dto) => Promise<Result>): Promise<Result> {
    const values = readCreation(this.dto, this.texts);
    const { form, path } = this.request;
    const page = path.replace('/admin/', '');
    return this.forms.oneTime.runOnce(form, async () => {
      // First: in read-only mode nothing of the work may run.
      await this.forms.audit.record({
        action: page.replaceAll('/', '.'),
        subject: { type: SUBJECT_TYPE, id: page },
        after: values,
      });
      return work(values);
    });
  }

  refused(error: unknown): ConsoleForm<Dto> {
    return new PageForm(this.forms, this.dto, this.request, formFaults(error, this.definition));
  }
}
