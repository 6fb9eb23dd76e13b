import { NewPetDto } from '../../pets/dto/new-pet.dto';
import { PetPatchDto } from '../../pets/dto/pet-patch.dto';
import { fieldsOf } from './record-fields';
import { type FieldTexts, readCreation, readPatch, readValues } from './record-values';
import { InvalidRecordError } from './records.errors';

describe('The fields of a DTO', () => {
  it('are listed with their labels, types and rules', () => {
    expect(
      fieldsOf(NewPetDto).map(({ name, label, kind, isOptional, values }) => [
        name,
        label,
        kind,
        isOptional,
        values,
      ]),
    ).toEqual([
      ['name', 'Name', 'text', false, []],
      ['categoryId', 'Category id', 'int64', false, []],
      ['status', 'Status', 'enum', true, ['available', 'pending', 'sold']],
    ]);
  });
});

describe('Values typed by people', () => {
  it('become the values of the API, with exact integers', () => {
    expect(readCreation(NewPetDto, { name: ' 7 ', categoryId: '9223372036854775807', status: '' })).toEqual({
      name: ' 7 ',
      categoryId: 9223372036854775807n,
      status: undefined,
    });
  });

  it('leave unnamed fields of a patch alone, and remove those given as empty', () => {
    const patch = readPatch(PetPatchDto, { status: '' });
    expect(patch).toEqual({ name: undefined, categoryId: undefined, status: null });
  });

  it('are refused as required when a patch would remove a required field', () => {
    expect(() => readPatch(PetPatchDto, { name: '', categoryId: '' })).toThrow(/^categoryId is required\.$/);
  });

  it('are the empty text for a required text that is left empty, which the API accepts', () => {
    expect(readCreation(NewPetDto, { name: '', categoryId: '1' })).toMatchObject({ name: '' });
    expect(readPatch(PetPatchDto, { name: '' })).toMatchObject({ name: '' });
  });

  it('are validated one by one by the same rules when they are filters', () => {
    expect(readValues(NewPetDto, { categoryId: '7', status: '' })).toMatchObject({ categoryId: 7n });
    expect(() => readValues(NewPetDto, { categoryId: 'seven', status: 'gone' })).toThrow(
      'categoryId must be an integer from -9223372036854775808 to 9223372036854775807. ' +
        'status must be one of available, pending, sold.',
    );
  });

  it.each([
    [{}, ['name', 'categoryId']],
    [{ name: 'Rex', categoryId: 'one' }, ['categoryId']],
    [{ name: 'Rex', categoryId: '1.5' }, ['categoryId']],
    [{ name: 'Rex', categoryId: '0x1' }, ['categoryId']],
    [{ name: 'Rex', categoryId: '9223372036854775808' }, ['categoryId']],
    [{ name: 'a\u0000', categoryId: '1', status: 'gone' }, ['name', 'status']],
  ])('are refused with a message for every invalid field: %j', (texts, fields) => {
    let refusal: unknown;
    try {
      readCreation(NewPetDto, texts);
    } catch (error) {
      refusal = error;
    }
    expect(refusal).toBeInstanceOf(InvalidRecordError);
    const { faults } = refusal as InvalidRecordError;
    expect(faults.map(({ field }) => field)).toEqual(fields);
    for (const { field, message } of faults) {
      const isMissing = !(texts as FieldTexts)[field];
      expect(message).toMatch(new RegExp(`^${field} ${isMissing ? 'is required' : 'must be .*'}\\.$`));
    }
  });
});
