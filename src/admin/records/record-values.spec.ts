import { NewPetDto } from '../../pets/dto/new-pet.dto';
import { PetPatchDto } from '../../pets/dto/pet-patch.dto';
import { fieldsOf } from './record-fields';
import { type FieldTexts, readCreation, readPatch, readValues } from './record-values';
import { InvalidRecordError } from './records.errors';

describe('The fields of a DTO', () => {
  it('are known with what there is to say of each', () => {
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

describe('Values as people write them', () => {
  it('become what the interface takes, integers exactly', () => {
    expect(readCreation(NewPetDto, { name: ' 7 ', categoryId: '9223372036854775807', status: '' })).toEqual({
      name: ' 7 ',
      categoryId: 9223372036854775807n,
      status: undefined,
    });
  });

  it('leave alone in a patch what is not named, and remove what is empty', () => {
    const patch = readPatch(PetPatchDto, { status: '' });
    expect(patch).toEqual({ name: undefined, categoryId: undefined, status: null });
  });

  it('are said to be required where a patch would empty what a record must have', () => {
    expect(() => readPatch(PetPatchDto, { name: '', categoryId: '' })).toThrow(/^categoryId is required\.$/);
  });

  it('are the empty text where a text must be there and none was written, as the interface takes it', () => {
    expect(readCreation(NewPetDto, { name: '', categoryId: '1' })).toMatchObject({ name: '' });
    expect(readPatch(PetPatchDto, { name: '' })).toMatchObject({ name: '' });
  });

  it('that something is looked for by are judged one by one, by the same rules', () => {
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
  ])('are refused with every field at fault: %j', (texts, fields) => {
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
