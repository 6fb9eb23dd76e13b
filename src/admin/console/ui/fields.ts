import { type Html, html } from '../../../platform/html/html';
import { CSRF_FIELD } from '../sessions/csrf';
import { newFormName, ONCE_FIELD } from '../sessions/one-time-forms';
import type { ConsoleRequest } from '../http/console-request';
import type { Notice } from '../../../platform/features/console-page';

/** An option to choose. */
export interface Option {
  readonly value: string;
  readonly label: string;
  readonly help?: string;
}

/** One field of a form. */
export interface Field {
  readonly name: string;
  readonly label: string;
  /** `select`, `textarea` or a type of `<input>`; `text` by default. */
  readonly type?: string;
  readonly value?: string | null | undefined;
  /** Help for filling in the field. */
  readonly help?: string | Html | undefined;
  /** The fault of the value, if any. */
  readonly error?: string | undefined;
  readonly isRequired?: boolean;
  /** Options of a select. */
  readonly options?: readonly Option[];
  /** Values to choose instead of typing, with their labels. */
  readonly suggestions?: readonly Option[];
  readonly placeholder?: string;
  /** The kind of value that browsers may fill in; `off` by default. */
  readonly autocomplete?: string;
  /** Further attributes by name, such as `min`, `step`, `inputmode`. */
  readonly attributes?: Readonly<Record<string, string>>;
}

/** Renders a field with its label above it and its help and fault below. */
export function field(it: Field): Html {
  const id = idOf(it.name);
  const described = [it.help && `${id}-help`, it.error && `${id}-error`].filter(Boolean).join(' ');
  const mark = it.isRequired === false ? html` <span class="field-optional">optional</span>` : '';
  return html`<div class="field${it.error ? ' field-faulty' : ''}">
    <label for="${id}">${it.label}${mark}</label
    >${control(it, id, described)}${it.help ? html`<p class="field-help" id="${id}-help">${it.help}</p>` : ''}${faultOf(id, it.error)}
  </div>`;
}

function control(it: Field, id: string, described: string): Html {
  const { type = 'text', value, options = [], attributes = {} } = it;
  const common = html`id="${id}"
  name="${it.name}"${described ? html` aria-describedby="${described}"` : ''}${it.error ? html` aria-invalid="true"` : ''}${it.isRequired ? html` required` : ''}${Object.entries(attributes).map(([name, text]) => html` ${name}="${text}"`)}`;
  if (type === 'select') {
    return html`<span class="select"
      ><select ${common}>
        ${options.map((option) => choice(option, value ?? ''))}
      </select></span
    >`;
  }
  const placeholder = it.placeholder ? html` placeholder="${it.placeholder}"` : '';
  const autocomplete = html` autocomplete="${it.autocomplete ?? 'off'}"`;
  // Browsers drop a line end at the beginning.
  if (type === 'textarea')
    return html`<textarea ${common}${placeholder} rows="4">${'\n'}${value ?? ''}</textarea>`;
  const list = it.suggestions ? html` list="${id}-list"` : '';
  const rest = html`${placeholder}${autocomplete}${list}`;
  const input = html`<input type="${type}" ${common}${rest} value="${value ?? ''}" />`;
  return it.suggestions ? html`${input}${suggestionList(it.suggestions, id)}` : input;
}

function suggestionList(suggestions: readonly Option[], id: string): Html {
  const items = suggestions.map(
    ({ value, label }) => html`<option value="${value}" label="${label}"></option>`,
  );
  return html`<datalist id="${id}-list">${items}</datalist>`;
}

function choice({ value, label }: Option, chosen: string): Html {
  return html`<option value="${value}" ${value === chosen ? html` selected` : ''}>${label}</option>`;
}

/** Renders options of which any number can be chosen; all are sent under the same name. */
export function checkboxes(it: {
  readonly name: string;
  readonly label: string;
  readonly options: readonly Option[];
  readonly chosen: readonly string[];
  readonly help?: string;
  readonly error?: string | undefined;
}): Html {
  const id = idOf(it.name);
  const described = [it.help && `${id}-help`, it.error && `${id}-error`].filter(Boolean).join(' ');
  const boxes = it.options.map(
    ({ value, label, help }) =>
      html`<label class="check"
        ><input
          type="checkbox"
          name="${it.name}"
          value="${value}"
          ${it.chosen.includes(value) ? html` checked` : ''}
        /><span>${label}${help ? html`<small>${help}</small>` : ''}</span></label
      >`,
  );
  return html`<fieldset
    class="field${it.error ? ' field-faulty' : ''}"
    id="${id}"
    tabindex="-1"
    ${described ? html` aria-describedby="${described}"` : ''}
  >
    <legend>${it.label}</legend>
    ${it.help ? html`<p class="field-help" id="${id}-help">${it.help}</p>` : ''}
    <div class="checks">${boxes}</div>
    ${faultOf(id, it.error)}
  </fieldset>`;
}

/** Lists the faults of a form above it, with a link to each field at fault. */
export function errorSummary(errors: Readonly<Record<string, string | undefined>>): Html | string {
  const faults = Object.entries(errors).filter((entry): entry is [string, string] => entry[1] !== undefined);
  if (faults.length === 0) return '';
  const items = faults.map(([name, text]) =>
    name === '' ? html`<li>${text}</li>` : html`<li><a href="#${idOf(name)}">${text}</a></li>`,
  );
  return html`<div class="callout callout-danger error-summary" role="alert" tabindex="-1">
    <div>
      <h2>${faults.length === 1 ? 'There is a problem' : `There are ${faults.length} problems`}</h2>
      <ul>
        ${items}
      </ul>
    </div>
  </div>`;
}

/** The hidden field that every form that changes something needs. */
export function csrf(request: ConsoleRequest): Html {
  return html`<input type="hidden" name="${CSRF_FIELD}" value="${request.csrf}" />`;
}

/** Attributes of a button that changes something: it cannot be pressed while the service is read-only. */
export function unlessReadOnly({ readOnly }: Pick<ConsoleRequest, 'readOnly'>): Html | string {
  return readOnly === undefined ? '' : html` disabled title="${readOnly}"`;
}

/** Renders a button that undoes a change, and leads back to the page it stands on. */
export function undoForm(path: string, request: ConsoleRequest, label = 'Undo'): Html {
  return html`<form class="inline-form" method="post" action="${path}">
    ${csrf(request)}<input type="hidden" name="return" value="${request.address}" /><button
      class="button button-small"
      type="submit"
      ${unlessReadOnly(request)}
    >
      ${label}
    </button>
  </form>`;
}

/** Renders what can be done about a notice. */
export function noticeActions({ undo, redo, view }: Notice, request: ConsoleRequest): Html {
  const link = view === undefined ? '' : html`<a href="${view}">View</a>`;
  const button = undo === undefined ? redo && undoForm(redo, request, 'Redo') : undoForm(undo, request);
  return html`${link}${button ?? ''}`;
}

/** Adds to {@link csrf} the name by which the form is carried out only once (see `OneTimeForms`). */
export function csrfOnce(request: ConsoleRequest): Html {
  return html`${csrf(request)}<input type="hidden" name="${ONCE_FIELD}" value="${newFormName()}" />`;
}

function faultOf(id: string, error: string | undefined): Html | string {
  return error ? html`<p class="field-error" id="${id}-error">${error}</p>` : '';
}

function idOf(name: string): string {
  return `field-${name}`;
}
