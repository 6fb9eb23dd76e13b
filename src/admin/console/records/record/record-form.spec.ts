import type { Type } from '@nestjs/common';
import { NewOrder, Order, OrderPatch, ORDERS, VALUES } from '../../../../../test/support/samples/every-field';
import { PETS_ADMIN } from '../../../../pets/pets.admin';
import type { Html } from '../../../../platform/html/html';
import { IntegerField, ReferenceField, StringField } from '../../../../platform/validation/fields';
import { ObjectArrayField } from '../../../../platform/validation/object-array-field';
import { fieldsOf, type RecordField } from '../../../records/record-fields';
import { readCreation, readPatch } from '../../../records/record-values';
import { InvalidRecordError, RecordRefusedError } from '../../../records/records.errors';
import { InternalError, MissingReferenceError } from '../../../../platform/errors/http-errors';
import { NotAllowedError } from '../../console.errors';
import { type Field, field as fieldHtml } from '../../ui/fields';
import { fieldControl } from '../fields/field-control';
import { missingReferenceAt } from '../../../../platform/database/entities/constraint-errors';
import { formFaults } from '../../http/form-faults';
import { changesOf } from './record-changes';
import { changedTexts, formControls, formerTexts, patchFields, textsOf, typedTexts } from './record-form';
import { factHtml, shortValueHtml, valueHtml, valueView } from '../fields/value-html';
import { shortened } from '../../../records/value-text';

const VIEW = valueView([PETS_ADMIN], { timeZone: 'UTC' });

describe('The form of a record', () => {
  const fields = patchFields(ORDERS);
  const texts = textsOf(fields, VALUES);

  /** The form as a browser sends it back: line ends as CRLF, times in their shortest spelling. */
  function sent(change: Readonly<Record<string, string>> = {}): URLSearchParams {
    const form = new URLSearchParams();
    for (const { name, type, value } of formControls(fields, texts)) {
      const typed = type === 'datetime-local' ? value?.replace(/250$/, '25') : value;
      form.set(`was-${name}`, withCrlf(texts[name]));
      form.set(name, withCrlf(change[name] ?? typed));
    }
    return form;
  }

  const withCrlf = (text: string | null | undefined) => (text ?? '').replaceAll(/\r\n?|\n/g, '\r\n');

  it('has a control for each editable field that keeps its value exactly', () => {
    expect(
      formControls(fields, texts).map(({ name, type, attributes, value, isRequired }) => [
        name,
        type,
        attributes?.['inputmode'],
        value,
        isRequired,
      ]),
    ).toEqual([
      ['note', 'textarea', undefined, 'two\r\nlines', undefined],
      ['count', 'text', 'numeric', '-3', false],
      ['price', 'text', 'decimal', '0.1', false],
      ['gift', 'select', undefined, 'false', true],
      ['day', 'date', undefined, '2026-01-31', false],
      ['at', 'datetime-local', undefined, '2026-01-31T09:30:05.250', false],
      ['key', 'text', undefined, VALUES.key, false],
      ['stage', 'select', undefined, 'in_transit', false],
      ['tags', 'textarea', undefined, String.raw`["two\r\nlines","","\"x\", y"]`, false],
      ['serials', 'textarea', undefined, '[9007199254740993,-1]', false],
      ['past', 'textarea', undefined, '["new","in_transit"]', false],
      ['petId', 'text', 'numeric', '9007199254740993', true],
    ]);
  });

  it('changes nothing when it is sent as it was opened', () => {
    const form = sent();
    expect(changedTexts(fields, formerTexts(fields, form), typedTexts(fields, form))).toEqual({});
  });

  it('changes exactly the fields that were edited, to the typed values', () => {
    const form = sent({ at: '2027-02-03T04:05', note: 'one\r\ntwo', petId: ' 8 ', stage: '', gift: 'true' });
    const changed = changedTexts(fields, formerTexts(fields, form), typedTexts(fields, form));
    expect(readPatch(OrderPatch as Type<object>, changed)).toEqual({
      at: new Date('2027-02-03T04:05:00Z'),
      note: 'one\ntwo',
      petId: 8n,
      stage: null,
      gift: true,
    });
  });

  it('reads an array as JSON, and leaves other text to the rule of the field to refuse', () => {
    const form = sent({ tags: ' ["a",\n"b"] ', serials: '[]', past: '' });
    const changed = changedTexts(fields, formerTexts(fields, form), typedTexts(fields, form));
    expect(readPatch(OrderPatch as Type<object>, changed)).toEqual({
      tags: ['a', 'b'],
      serials: [],
      past: null,
    });
    expect(() =>
      readPatch(OrderPatch as Type<object>, { tags: 'a, b', serials: '[1.5]', past: '["gone"]' }),
    ).toThrow(/^tags .*\. serials\[0\] .*\. past\[0\] .*new, in_transit, done/);
  });

  it('shows the description of each field from the OpenAPI document, as HTML', () => {
    const control = formControls(fields, texts).find(({ name }) => name === 'petId') as Field;
    expect(fieldHtml(control).text).toContain(
      '>The pet: the <code>id</code> of <strong>one</strong> of &lt;them&gt;.</p>',
    );
    const time = formControls(fields, texts).find(({ name }) => name === 'at') as Field;
    expect(fieldHtml(time).text).toContain('>The time. ');
    const tags = formControls(fields, texts).find(({ name }) => name === 'tags') as Field;
    expect(fieldHtml(tags).text).toMatch(/>The tags\. [^<]*\[&quot;x&quot;,&quot;y z&quot;\]<\/p>/);
  });

  it('keeps a refused value, even one that its control does not offer', () => {
    const controls = formControls(fields, { ...texts, petId: '1.5', stage: 'gone' }, { petId: 'Wrong.' });
    expect(controls.find(({ name }) => name === 'petId')).toMatchObject({ value: '1.5', error: 'Wrong.' });
    expect(controls.find(({ name }) => name === 'stage')?.options?.at(-1)).toEqual({
      value: 'gone',
      label: 'gone',
    });
  });

  it('asks for a choice in a required field of a new record', () => {
    const controls = formControls(fieldsOf(NewOrder), {});
    const first = (name: string) => controls.find((control) => control.name === name)?.options?.[0];
    expect([first('gift')?.value, first('stage')?.value]).toEqual(['', '']);
    expect(first('gift')?.label).not.toBe(first('stage')?.label);
    const empty = typedTexts(fieldsOf(NewOrder), new URLSearchParams());
    expect(() => readCreation(NewOrder, empty)).toThrow(/^gift .*\. petId [^.]*\.$/);
  });

  it('offers "Any" beside the values of an enum in a filter', () => {
    const stage = fieldsOf(Order).find(({ name }) => name === 'stage');
    expect(
      fieldControl(stage as never, { value: '', none: 'Any' }).options?.map(({ label }) => label),
    ).toEqual(['Any', 'New', 'In transit', 'Done']);
  });
});

describe('The message of a refused form', () => {
  const fields = fieldsOf(NewOrder);

  it('is shown at the field that the refusal names, or else at the form', () => {
    expect(formFaults(missingReferenceAt('petId'), fields)).toEqual({
      status: 409,
      faults: { petId: 'Pet id refers to a record that does not exist.' },
    });
    expect(formFaults(missingReferenceAt('tags[1].petId'), fields).faults).toEqual({
      tags: 'tags[1].petId refers to a record that does not exist.',
    });
    expect(formFaults(new MissingReferenceError(), fields).faults).toHaveProperty(['']);
    // The words of a refusal lead to no field, whatever they begin with.
    expect(formFaults(new RecordRefusedError('petId 1 was removed.'), fields)).toEqual({
      status: 409,
      faults: { '': 'petId 1 was removed.' },
    });
    const about = { field: 'petId', message: 'petId 1 was removed.' };
    expect(formFaults(new InvalidRecordError([about]), fields).faults).toEqual({ petId: about.message });
  });

  it('hides no unexpected fault and no missing right', () => {
    for (const error of [new Error('x'), new NotAllowedError('x'), new InternalError()]) {
      expect(() => formFaults(error, fields)).toThrow(error);
    }
  });
});

/** What stands in the place of a missing value. */
const NOTHING = /^(<[^>]*>\s*)*– ?/;

describe('A value on a page', () => {
  const field = (name: string) => fieldsOf(Order).find((one) => one.name === name) as RecordField;
  const shown = (name: string, value: unknown) => valueHtml(VIEW, field(name), value).text;

  it('is formatted by its type', () => {
    expect(shown('stage', 'in_transit')).toContain('>In transit<');
    expect(shown('petId', 9007199254740993n)).toBe(
      '<a href="/admin/records/pets/9007199254740993">pet 9007199254740993</a>',
    );
    expect(shown('at', '2026-01-31T09:30:05.250Z')).toContain('datetime="2026-01-31T09:30:05.250Z"');
    expect(shown('gift', false)).toBe('No');
    expect(shown('note', '')).toContain('empty');
    expect(shown('note', undefined)).toMatch(NOTHING);
    expect(shown('past', ['new', 'in_transit'])).toMatch(/>New<.*, .*>In transit</s);
    expect(shown('serials', [9007199254740993n, 1n])).toBe('9007199254740993, 1');
    expect(shown('tags', [])).toContain('empty');
    expect(shown('tags', ['a', ''])).toMatch(/>a<.*, .*>empty</s);
    expect(shown('note', '<b>"\'')).toBe('<bdi class="text">&lt;b&gt;&quot;&#39;</bdi>');
    expect(valueHtml(VIEW, undefined, { a: [1n] }).text).toContain('{&quot;a&quot;:[1]}');
  });

  it('is a table with a row for each object of an array', () => {
    class Line {
      @ReferenceField('/pets', { description: 'The pet.', example: 1 }) petId!: bigint;
      @IntegerField({ description: 'How many.', example: 1 }) quantity!: number;
      @StringField({ description: 'A note.', example: 'a', optional: true }) giftNote?: string;
    }
    class Basket {
      @ObjectArrayField(Line, { description: 'The lines.' }) lines!: Line[];
    }
    const [lines] = fieldsOf(Basket) as [RecordField];
    const shownLines = factHtml(VIEW, lines, [
      { petId: 7n, quantity: 2, giftNote: '<3' },
      { petId: 8n, quantity: 1 },
    ]);
    const cells = [...shownLines.text.matchAll(/<(t[hd]) [^>]*>(.*?)<\/t[hd]>/gs)];
    expect(cells.map(([, tag, content = '']) => [tag, content.replaceAll(/<[^>]*>/g, '').trim()])).toEqual([
      ['th', 'Pet id'],
      ['th', 'Quantity'],
      ['th', 'Gift note'],
      ['td', 'pet 7'],
      ['td', '2'],
      ['td', '&lt;3'],
      ['td', 'pet 8'],
      ['td', '1'],
      ['td', expect.stringMatching(NOTHING)],
    ]);
    expect(shownLines.text).toContain('<a href="/admin/records/pets/7">pet 7</a>');
    expect(factHtml(VIEW, lines, []).text).toContain('empty');
    expect(factHtml(VIEW, field('serials'), [1n]).text).toBe('1');
  });

  it('is shortened in a list without cutting a character', () => {
    expect(shortened('🐈'.repeat(200))).toBe(`${'🐈'.repeat(120)}…`);
    expect(shortened('short')).toBe('short');
    expect(shortValueHtml(VIEW, field('tags'), ['a', 'x'.repeat(121)]).text).toContain(
      `>a, ${'x'.repeat(117)}…<`,
    );
    expect(shortValueHtml(VIEW, field('note'), 'x'.repeat(121)).text).toContain(`>${'x'.repeat(120)}…<`);
  });
});

describe('The change of an audit event', () => {
  it('is shown field by field, including fields that no longer exist', () => {
    const before = '{"id":7,"note":"a","petId":9007199254740993,"colour":"red"}';
    const after = '{"id":7,"note":"","petId":9007199254740992,"stage":"done"}';
    const told = (changes: ReturnType<typeof changesOf>) =>
      changes.map(({ label, before: was, after: is }) => [label, plain(was), plain(is)]);
    const plain = ({ text }: Html) => text.replaceAll(/(<[^>]*>|\s)+/g, ' ').trim();
    expect(told(changesOf(VIEW, ORDERS, { before, after }))).toEqual([
      ['Note', 'a', 'empty'],
      ['Stage', expect.stringMatching(NOTHING), 'Done'],
      ['Pet id', 'pet 9007199254740993', 'pet 9007199254740992'],
      ['Colour', 'red', expect.stringMatching(NOTHING)],
    ]);
    expect(told(changesOf(VIEW, ORDERS, { before: null, after: '{"id":7,"gift":false}' }))).toEqual([
      ['Gift', expect.stringMatching(NOTHING), 'No'],
      ['Id', expect.stringMatching(NOTHING), '7'],
    ]);
  });
});
