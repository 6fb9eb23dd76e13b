import { NewOrder } from '../../../../test/support/every-field';
import { fieldNamed, type RecordField } from '../record-fields';
import { valueOption } from './field-options';

describe('The option of a field', () => {
  it('says what the document says of it, without the marks of Markdown', () => {
    const { description } = valueOption(fieldNamed(NewOrder, 'petId') as RecordField);
    expect(description).toBe('The pet: the id of one of <them>. (int64)');
  });
});
