import { Command } from 'commander';
import { NewOrder } from '../../../../test/support/samples/every-field';
import { fieldNamed, fieldsOf, type RecordField } from '../record-fields';
import { readValues } from '../record-values';
import { exampleOption, fieldTexts, valueOption } from './field-options';

const FIELDS = fieldsOf(NewOrder);

/** Reads words as the options of a command. */
function read(...words: string[]): Partial<NewOrder> {
  const command = new Command('create').exitOverride().configureOutput({ writeErr: () => undefined });
  for (const field of FIELDS) command.addOption(valueOption(field));
  return readValues(NewOrder, fieldTexts(FIELDS, command.parse(words, { from: 'user' }).opts()));
}

describe('The option of a field', () => {
  it('is described as in the OpenAPI document, without Markdown', () => {
    const { description } = valueOption(fieldNamed(NewOrder, 'petId') as RecordField);
    expect(description).toBe('The pet: the id of one of <them>. (int64)');
  });

  it('takes the items of an array in one option or several, and an option without items for the empty array', () => {
    const words = ['--tags', 'a', 'b c', '--serials', '9007199254740993', '--tags', '"x", y', '--past'];
    expect(read(...words)).toMatchObject({
      tags: ['a', 'b c', '"x", y'],
      serials: [9007199254740993n],
      past: [],
    });
    expect(read('--tags', '').tags).toBeUndefined();
    expect(() => read('--serials', '1', 'two')).toThrow('serials[1] must be an integer');
    expect(() => read('--past', 'gone')).toThrow('past[0] must be one of new, in_transit, done.');
  });

  it('has another name where the plain one chooses records, which no other field has', () => {
    const field = fieldNamed(NewOrder, 'petId') as RecordField;
    expect(valueOption(field, 'set-').flags).toBe('--set-pet-id <value>');
    expect(valueOption({ ...field, name: 'setPetId' }).flags).toBe('--field-set-pet-id <value>');
    expect(fieldTexts([field], { setPetId: '7' }, 'set-')).toEqual({ petId: '7' });
  });

  it('quotes its example for a shell', () => {
    const [tags, serials] = ['tags', 'serials'].map((name) => fieldNamed(NewOrder, name) as RecordField);
    expect([tags, serials].map((field) => exampleOption(field as RecordField))).toEqual([
      "--tags x 'y z'",
      '--serials 1',
    ]);
    const past = valueOption(fieldNamed(NewOrder, 'past') as RecordField);
    expect([past.flags, past.description]).toEqual([
      '--past [values...]',
      'The past. (enum, any number, optional)',
    ]);
  });
});
