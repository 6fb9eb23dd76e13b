import { type AuditEntry, changesOf } from '../../audit/audit-trail.service';
import { bulkSummary } from '../../audit/bulk-changes';
import { type Html, html } from '../../../platform/openapi/html';
import { exactJson } from '../../../platform/values/exact-json';
import { fieldNamed, fieldsOf, inWords, type RecordField } from '../../records/record-fields';
import { valueHtml, type ValueView } from '../records/value-html';
import { countText } from '../ui/count-text';
import { nothing } from '../ui/text';

/** A field of the subject of an event, as people read it. */
export interface ShownField {
  readonly label: string;
  readonly isChanged: boolean;
  readonly before: Html;
  readonly after: Html;
}

/** An instant as it is recorded: ISO 8601 in UTC. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** The fields of an event's subject: those that changed, then those it has besides. */
export function shownFields(view: ValueView, event: AuditEntry): ShownField[] {
  const kind = view.kinds.find(({ name }) => name === event.subjectType);
  const fields = new Map(kind ? fieldsOf(kind.record).map((field) => [field.name, field]) : []);
  const changes = changesOf(event).map((change) => ({ ...change, isChanged: true }));
  const changed = new Set(changes.map(({ member }) => member));
  const same = Object.entries(event.after ?? {})
    .filter(([member]) => !changed.has(member))
    .map(([member, value]) => ({ member, before: value, after: value, isChanged: false }));
  return [...changes, ...same].map(({ member, before, after, isChanged }) => {
    const field = fields.get(member);
    const shown = (value: unknown) => shownValue(view, field, value);
    return { label: field?.label ?? inWords(member), isChanged, before: shown(before), after: shown(after) };
  });
}

/** A bulk change as people read it. */
export interface ShownBulk {
  /** `75 pets`. */
  readonly countText: string;
  /** What their fields were set to. */
  readonly set: readonly { readonly label: string; readonly value: Html }[];
}

/** What the event about a bulk change says; undefined of any other. */
export function shownBulk(view: ValueView, event: AuditEntry): ShownBulk | undefined {
  const bulk = bulkSummary(event);
  if (!bulk) return undefined;
  const { subjectType } = event;
  const kind = view.kinds.find(({ name }) => name === subjectType);
  const set = Object.entries(bulk.set).map(([member, value]) => {
    const field = kind && fieldNamed(kind.record, member);
    return { label: field?.label ?? inWords(member), value: shownValue(view, field, value) };
  });
  return { countText: countText(kind ?? { name: subjectType, one: subjectType }, bulk.changed), set };
}

function shownValue(view: ValueView, field: RecordField | undefined, value: unknown): Html {
  if (value === undefined || value === null) return nothing('nothing');
  if (field) return valueHtml(view, field, value);
  if (typeof value === 'string') return INSTANT.test(value) ? view.time(value) : html`${value}`;
  if (Array.isArray(value) && value.every((item) => typeof item === 'string'))
    return html`${value.join(', ')}`;
  return html`${exactJson(value)}`;
}
