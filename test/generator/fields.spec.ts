import { readFields } from '../../schematics/feature/fields';
import { readFeatureName } from '../../schematics/feature/names';

const ORDERS = readFeatureName('orders');

function read(text: string) {
  return readFields(text, ORDERS);
}

const TYPES =
  'string, integer, int64, number, decimal(10,2), boolean, date, date-time, uuid, enum(a|b|c), ref(<feature>)';

describe('the fields of a feature', () => {
  it('are told apart by spaces and commas outside parentheses', () => {
    const fields = read(
      ' petId:ref(pets),quantity:integer?\n shipDate:date-time , status:enum( placed | approved )? ',
    );
    expect(fields.map(({ name, type, optional }) => [name, type, optional])).toEqual([
      ['petId', 'ref', false],
      ['quantity', 'integer', true],
      ['shipDate', 'date-time', false],
      ['status', 'enum', true],
    ]);
  });

  it('have a column, and words for texts', () => {
    const [field] = read('shipDate:date-time');
    expect(field).toMatchObject({ column: 'ship_date', words: 'ship date' });
  });

  it('filter the list when they have few values or refer to something', () => {
    const text =
      'a:string b:integer c:int64 d:number e:boolean f:date g:date-time h:uuid i:enum(x) j:ref(pets)';
    const filters = read(text).filter(({ isFilter }) => isFilter);
    expect(filters.map(({ name }) => name)).toEqual(['e', 'i', 'j']);
  });

  it('appear in code by their type', () => {
    const text =
      'a:string b:integer c:int64 d:number e:boolean f:date g:date-time h:uuid i:enum(x) j:ref(pets)';
    expect(read(text).map(({ code }) => code.typescript)).toEqual([
      'string',
      'number',
      'bigint',
      'number',
      'boolean',
      'string',
      'Date',
      'string',
      'OrderI',
      'bigint',
    ]);
  });

  it('make an enum that is named after feature and field', () => {
    const [field] = read('shippingStatus:enum(placed|in-progress|onHold|DONE_ALL)');
    expect(field?.enum).toEqual({
      name: 'OrderShippingStatus',
      file: 'order-shipping-status',
      members: [
        { name: 'Placed', value: 'placed' },
        { name: 'InProgress', value: 'in-progress' },
        { name: 'OnHold', value: 'onHold' },
        { name: 'DoneAll', value: 'DONE_ALL' },
      ],
    });
  });

  it('have labels for the values of an enum that are no identifiers', () => {
    const [field] = read('city:enum(New York=new-york|n/a=none|All day=24-7|Zürich=zürich, default=none)');
    expect(field?.enum?.members).toEqual([
      { name: 'NewYork', value: 'new-york', label: 'New York' },
      { name: 'None', value: 'none', label: 'n/a' },
      { name: 'AllDay', value: '24-7', label: 'All day' },
      { name: 'Zurich', value: 'zürich', label: 'Zürich' },
    ]);
    expect(field?.options.default).toBe('none');
  });

  it.each([
    ['', 'A feature needs at least one field, as in note:string?.'],
    [' , ', 'A feature needs at least one field, as in note:string?.'],
    ['note', '"note" is not a field: write name:type, as in note:string or note:string?.'],
    ['note:', '"note:" is not a field'],
    [':string', '":string" is not a field'],
    ['note:string??', '"note:string??" is not a field'],
    ['note:string ?', '"?" is not a field'],
    ['note?:string', '"note?:string" is not a field'],
    ['status:enum(a|b note:string', '"status:enum(a|b note:string" is not a field'],
    ['note:string)', '"note:string)" is not a field'],
    ['note:text', `The field note has the unknown type text: the types are ${TYPES}.`],
    ['note:String', 'The field note has the unknown type String'],
    ['note:constructor', 'The field note has the unknown type constructor'],
    [
      'note:string(3)',
      '"3" is not an option of the field note: a field of type string takes min, max, pattern, default, example, unique, prefix, sort, create-only, read-only, description.',
    ],
    ['petId:ref', 'The field petId must name a feature, as in ref(pets).'],
    ['petId:ref()', 'The field petId must name a feature, as in ref(pets).'],
    ['status:enum', 'The enum of the field status needs values, as in enum(placed|approved).'],
    ['status:enum( )', 'The enum of the field status needs values'],
    ['status:enum(a|)', '"" cannot be a value of the enum of the field status'],
    ['status:enum(1st)', '"1st" cannot be a value of the enum of the field status'],
    [
      'status:enum(a,b)',
      '"b" is not an option of the field status: a field of type enum takes default, set, create-only, read-only, description.',
    ],
    ['status:enum(a b)', 'or put a label before it, as in New York=new-york.'],
    [
      'status:enum(A=a b)',
      'it must begin with a letter or a digit and must not contain spaces or quotation marks.',
    ],
    ['status:enum(...=1)', 'the label or the value must begin with a letter'],
    ['status:enum(a,default=b)', 'The default of the field status breaks its rules: "b".'],
    ['status:enum(a|b|a)', 'The enum of the field status contains the value a twice.'],
    ['status:enum(on-hold|onHold)', 'would give on-hold and onHold the same name, OnHold.'],
    ['id:string', 'The field id already exists: every feature has it.'],
    ['createdAt:date-time', 'The field createdAt already exists: every feature has it.'],
    ['limit:integer', '"limit" cannot name a field: it is a parameter of every list.'],
    [
      'example:string',
      '"example" cannot name a field: linters of OpenAPI would take it for an example of the schema.',
    ],
    [
      'then:string',
      '"then" cannot name a field: an object with a member of that name is taken for a promise.',
    ],
    ['cursor:string', '"cursor" cannot name a field: it is a parameter of every list.'],
    ['class:string', '"class" cannot name a field: it is a reserved word of TypeScript.'],
    ['await:string', '"await" cannot name a field: it is a reserved word of TypeScript.'],
    ['toString:string', '"toString" cannot name a field: every object has a member of that name.'],
    ['constructor:string', '"constructor" cannot name a field: every object has a member of that name.'],
    ['__proto__:string', '"__proto__" cannot name a field: use camelCase, as in shipDate.'],
    ['ship_date:date', '"ship_date" cannot name a field: use camelCase'],
    ['ShipDate:date', '"ShipDate" cannot name a field: use camelCase'],
    ['naïve:boolean', '"naïve" cannot name a field: use camelCase'],
    ['note:string note:integer', 'The field note is declared twice.'],
    ['petId:int64 petID:int64', 'The fields petId and petID would share the column pet_id.'],
  ])('cannot be %j', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });
});
