import { readFields } from '../src/feature/fields.ts';
import { readFeatureName } from '../src/feature/names.ts';
import { readFeatureFields } from '../src/feature/owned-fields.ts';

const ORDERS = readFeatureName('orders');

function read(text: string) {
  return readFeatureFields(`customer:string ${text}`, ORDERS);
}

describe('An array of objects', () => {
  it('has its own fields, limits, table and classes', () => {
    const { fields, owned } = read(
      "lines:object(petId:ref(pets), quantity:integer(min=1,max=10),status:enum(a|b)?, max-items=50,description='Lines, sorted')[]",
    );
    expect(fields.map(({ name }) => name)).toEqual(['customer']);
    expect(owned).toHaveLength(1);
    expect(owned[0]).toMatchObject({
      name: 'lines',
      item: { table: 'order_lines', singular: { pascal: 'OrderLine', kebab: 'order-line' } },
      options: { minItems: undefined, maxItems: '50', description: 'Lines, sorted' },
    });
    expect(owned[0]?.fields.map(({ name, type, optional }) => [name, type, optional])).toEqual([
      ['petId', 'ref', false],
      ['quantity', 'integer', false],
      ['status', 'enum', true],
    ]);
    expect(owned[0]?.fields[2]?.enum?.name).toBe('OrderLineStatus');
  });

  it.each([
    ['lines:object', 'The field lines must be an array of objects: lines:object(note:string)[].'],
    [
      'lines:object(note:string)',
      'The field lines must be an array of objects: lines:object(note:string)[].',
    ],
    ['lines:object()[]', 'The objects of the field lines need fields, as in lines:object(note:string)[].'],
    ['lines:object(max-items=3)[]', 'The objects of the field lines need fields'],
    [
      'lines:object(note:string,min-items=1)[]?',
      'The field lines cannot be optional and have min-items: an array that is left out is empty.',
    ],
    [
      'lines:object(note:string,unique)[]',
      '"unique" is not an option of the field lines: an array of objects takes min-items, max-items, description.',
    ],
    [
      'lines:object(note:string,max-items=0)[]',
      'The option max-items of the field lines must be at least 1.',
    ],
    ['lines:object(note:text)[]', 'The field note has the unknown type text'],
    ['lines:object(note:string note:string)[]', '"note:string note:string" is not a field'],
    ['lines:object(note:string,note:integer)[]', 'The field lines.note is declared twice.'],
    ['lines:object(position:integer)[]', 'The field lines.position already exists'],
    ['lines:object(orderId:int64)[]', 'The field lines.orderId already exists'],
    ['lines:object(sku:string(unique))[]', 'The field lines.sku can only have min, max, pattern, example'],
    [
      'lines:object(count:integer(default=1))[]',
      'The field lines.count can only have min, max, pattern, example',
    ],
    [
      'lines:object(email:string(personal))[]',
      'The field lines.email cannot be personal: the audit log has an array as one value. Give such objects a module of their own, and refer to it: lines:object(guestId:ref(guests))[].',
    ],
    ['lines:object(tags:string[])[]', 'The field lines.tags can only have min, max, pattern, example'],
    [
      'lines:object(parts:object(note:string)[])[]',
      'The field parts holds objects, which get a table of their own',
    ],
    ['customer:object(note:string)[]', 'The field customer is declared twice.'],
    ['lines:object[](note:string)', '"lines:object[](note:string)" is not a field'],
  ])('cannot be %s', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it('may be optional', () => {
    expect(read('lines:object(note:string)[]?').owned[0]?.optional).toBe(true);
  });

  it('is refused in a nested collection', () => {
    expect(() => readFields('lines:object(note:string)[]', ORDERS)).toThrow(
      'The field lines holds objects, which get a table of their own: only a feature without --parent accepts them, and not within another object.',
    );
  });
});
