import { readFields } from '../src/feature/fields.ts';
import { sampleValues } from '../src/feature/field-values.ts';
import { readFeatureName } from '../src/feature/names.ts';

function read(text: string) {
  const [field] = readFields(`${text} other:string`, readFeatureName('orders'));
  if (!field) throw new Error(`${text} is no field.`);
  return field;
}

describe('The options of a field', () => {
  it('are read from its parentheses, separated by commas', () => {
    expect(read('quantity:integer( min=1 , max=10,default=2,unique,create-only)').options).toEqual({
      min: '1',
      max: '10',
      pattern: undefined,
      minItems: undefined,
      maxItems: undefined,
      default: '2',
      example: undefined,
      description: undefined,
      unique: true,
      range: false,
      prefix: false,
      set: false,
      sort: false,
      access: 'create-only',
      personal: false,
    });
  });

  it('mark what identifies a person, whatever its type', () => {
    expect(read('email:string(max=254,personal)').options.personal).toBe(true);
    expect(read('born:date(personal)?').options.personal).toBe(true);
    expect(() => read('email:string(personal=yes)')).toThrow(
      'The option personal of the field email takes no value.',
    );
  });

  it('declare filters and orders of the list', () => {
    expect(read('at:date-time(range,sort)?').options).toMatchObject({ range: true, sort: true, set: false });
    expect(read('name:string(max=9,prefix)').options).toMatchObject({ max: '9', prefix: true, sort: false });
    expect(read('status:enum(a|b,set)').options).toMatchObject({ set: true });
    expect(() => read('name:string(range)')).toThrow('"range" is not an option of the field name');
    expect(() => read('status:enum(a|b,sort)')).toThrow('"sort" is not an option of the field status');
  });

  it.each([
    ['at:date-time(range) atFrom:boolean', 'The list already has a parameter atFrom'],
    ['at:date(sort) sort:enum(a|b)', 'The list already has a parameter sort'],
  ])('are refused when two fields would have the same parameter of the list: %s', (text, message) => {
    expect(() => readFields(text, readFeatureName('orders'))).toThrow(message);
  });

  it('are exact for decimals', () => {
    const { digits, options } = read('price:decimal(10,2,min=0,default=12.5)');
    expect(digits).toEqual({ precision: 10, scale: 2 });
    expect(options).toMatchObject({ min: '0.00', max: undefined, default: '12.50' });
  });

  it('declare the items of an array, their number and its default in JSON', () => {
    const tags = read('tags:string(max=30,max-items=20,default=[])[]');
    expect(tags).toMatchObject({
      isArray: true,
      optional: false,
      isFilter: false,
      code: { typescript: 'string[]' },
    });
    expect(tags.options).toMatchObject({ max: '30', minItems: undefined, maxItems: '20', default: '[]' });
    expect(read('sizes:integer(min=1,min-items=1)[]?')).toMatchObject({ isArray: true, optional: true });
    const colours = read(`colours:enum(red|green,default='["red"]')[]`);
    expect(colours).toMatchObject({ isFilter: false, code: { typescript: 'OrderColours[]' } });
    expect(read(`prices:decimal(4,2,default='["1","2.5"]')[]`).options.default).toBe('["1.00","2.50"]');
  });

  it('follow the arguments that a type requires', () => {
    expect(read('petId:ref(pets,unique)?')).toMatchObject({ target: 'pets', options: { unique: true } });
    const status = read('status:enum(placed|approved,default=placed,read-only)');
    expect(status.enum?.members.map(({ value }) => value)).toEqual(['placed', 'approved']);
    expect(status.options).toMatchObject({ default: 'placed', access: 'read-only' });
  });

  it.each([
    ["code:string(pattern='^[A-Z]{2,3}(-\\d)?$')", { pattern: '^[A-Z]{2,3}(-\\d)?$' }],
    ['code:string(pattern="^(a|b)$",max=3)', { pattern: '^(a|b)$', max: '3' }],
    ['code:string(pattern=^\\d+$)', { pattern: '^\\d+$' }],
    ["note:string(description='It''s here, (really).')", { description: "It's here, (really)." }],
    ["note:string(description=What the buyer's label says)", { description: "What the buyer's label says" }],
    ['note:string(description=a=b)', { description: 'a=b' }],
    ["note:string(default='')", { default: '' }],
  ])('may contain commas, parentheses and quotation marks when quoted: %s', (text, options) => {
    expect(read(text).options).toMatchObject(options);
  });

  it.each([
    ['note:string(max=ten)', 'The option max of the field note must be a length, not "ten".'],
    ['note:string(min=-1)', 'The option min of the field note must be a length, not "-1".'],
    ['note:string(max=0)', 'The option max of the field note must be at least 1.'],
    ['note:string(min=3,max=2)', 'The option min of the field note is greater than its max.'],
    ['note:string(max=3,max=4)', 'The field note is given the option max twice.'],
    ['note:string(default=)', 'The option default of the field note needs a value.'],
    ['note:string(max)', 'The option max of the field note needs a value.'],
    ['note:string(unique=yes)', 'The option unique of the field note takes no value.'],
    [
      'note:string(uniqe)',
      '"uniqe" is not an option of the field note: a field of type string takes min, max,',
    ],
    [
      'flag:boolean(unique)',
      '"unique" is not an option of the field flag: a field of type boolean takes default,',
    ],
    ['ratio:number(unique)', '"unique" is not an option of the field ratio'],
    ['note:string()', '"" is not an option of the field note'],
    [
      'quantity:integer(min=1.5)',
      'The option min of the field quantity must be a value of type integer, not "1.5".',
    ],
    ['quantity:integer(max=2147483648)', 'must be a value of type integer, not "2147483648".'],
    [
      'price:decimal',
      'The field price needs the number of its digits, at most 15, and how many of them follow the point, as in decimal(10,2).',
    ],
    ['price:decimal(16,2)', 'The field price needs the number of its digits'],
    ['price:decimal(2,3)', 'The field price needs the number of its digits'],
    ['price:decimal(10)', 'The field price needs the number of its digits'],
    ['price:decimal(10,unique)', 'The field price needs the number of its digits'],
    ['price:decimal(4,2,default=100)', 'The default of the field price breaks its rules: "100".'],
    [
      'price:decimal(4,2,min=0.001)',
      'The option min of the field price must be a value of type decimal, not "0.001".',
    ],
    ['serial:int64(max=9007199254740993)', 'must be a value of type int64, not "9007199254740993".'],
    ['ratio:number(min=low)', 'The option min of the field ratio must be a value of type number, not "low".'],
    ['quantity:integer(min=2,default=1)', 'The default of the field quantity breaks its rules: "1".'],
    ['note:string(max=2,example=long)', 'The example of the field note breaks its rules: "long".'],
    ['note:string(pattern=^a$,default=b)', 'The default of the field note breaks its rules: "b".'],
    [
      'note:string(pattern=[)',
      'The pattern of the field note is not a regular expression of JavaScript with the flag u: "[".',
    ],
    ['price:decimal(10,2)(range)', 'as in decimal(10,2,range).'],
    ['kind:enum(a|b)(sort)', 'has two pairs of parentheses'],
    ['note:string(pattern=^a(b)$)', 'of the field note must be in quotation marks, as in pattern='],
    ["note:string(pattern='^a)", 'of the field note must be in quotation marks'],
    ['note:string(pattern=^a{1,2}$)', '"2}$" is not an option of the field note'],
    [
      'note:string(default=a)?',
      'The field note has a default, so it always has a value and cannot be optional.',
    ],
    [
      'tags:string(unique)[]',
      '"unique" is not an option of the field tags: a field of type string[] takes min, max,',
    ],
    ['tags:string(sort)[]', '"sort" is not an option of the field tags'],
    ['flags:boolean(set)[]', '"set" is not an option of the field flags'],
    ['tags:string(max-items=2)', '"max-items=2" is not an option of the field tags'],
    ['tags:string(max-items=0)[]', 'The option max-items of the field tags must be at least 1.'],
    [
      'tags:string(min-items=-1)[]',
      'The option min-items of the field tags must be a number of items, not "-1".',
    ],
    [
      'tags:string(min-items=3,max-items=2)[]',
      'The option min-items of the field tags is greater than its max-items.',
    ],
    ['tags:string(default=red)[]', 'The default of the field tags breaks its rules: "red".'],
    ['tags:string(default=[null])[]', 'The default of the field tags breaks its rules: "[null]".'],
    ['tags:string(min-items=1,default=[])[]', 'The default of the field tags breaks its rules: "[]".'],
    [`colours:enum(red,default='["blue"]')[]`, 'The default of the field colours breaks its rules'],
    ['sizes:integer(min=2,default=[1])[]', 'The default of the field sizes breaks its rules: "[1]".'],
    [
      'tags:string(default=[])[]?',
      'The field tags has a default, so it always has a value and cannot be optional.',
    ],
    [
      'petIds:ref(pets)[]',
      'The field petIds cannot be an array of ref: no database has foreign keys of items. Write petIds:refs(pets).',
    ],
    [
      'tags:refs(tags)',
      'The field tags holds links, which get a table of their own: only a feature without --parent accepts refs, and not within an object.',
    ],
    ['tags:string[](max=3)', '"tags:string[](max=3)" is not a field'],
    ['tags:string[][]', '"tags:string[][]" is not a field'],
    ['tags:string?[]', '"tags:string?[]" is not a field'],
    ['note:string(create-only,read-only)', 'The field note cannot be both create-only and read-only.'],
    ['note:string(read-only)', 'The field note is read-only and must be optional or have a default.'],
  ])('are refused when they are wrong: %s', (text, message) => {
    expect(() => read(text)).toThrow(message);
  });

  it.each([
    ['a:string(read-only)?', 'At least one field must be given at creation: every field is read-only.'],
    ['a:string(create-only) b:string(read-only)?', 'At least one field must be open to changes'],
  ])('are refused when they leave no writable field: %s', (text, message) => {
    expect(() => readFields(text, readFeatureName('orders'))).toThrow(message);
  });
});

describe('The examples of a field', () => {
  it.each([
    ['a:string', ['some text', 'other text']],
    ['a:string(max=4)', ['abcd', 'bbcd']],
    ['a:string(max=1)', ['a', 'b']],
    ['a:string(min=12)', ['some text an', 'other text a']],
    ['a:string(example=x)', ['x', 'some text']],
    ['a:integer', ['1', '2']],
    ['a:integer(min=5)', ['5', '6']],
    ['a:integer(max=-5)', ['-6', '-5']],
    ['a:integer(min=1,max=1)', ['1']],
    ['a:integer(min=0,max=1)', ['1', '0']],
    ['a:number', ['1.5', '2.5']],
    ['a:number(min=0,max=1)', ['0', '0.5']],
    ['a:decimal(10,2)', ['1.50', '2.50']],
    ['a:decimal(3,0,min=20)', ['20', '21']],
    ['a:decimal(2,2)', ['0.00', '0.01']],
    ['a:boolean', ['true', 'false']],
    ['a:date', ['2026-01-31', '2027-01-31']],
    ['a:enum(x|y)', ['x', 'y']],
  ])('follow its rules: %s', (text, values) => {
    expect(sampleValues(read(text), 2)).toEqual(values);
  });

  it('match its pattern, and are as many as needed', () => {
    const values = sampleValues(read("a:string(pattern='^[A-Z]{2}-\\d{3}$')"), 12);
    expect(new Set(values).size).toBe(12);
    for (const value of values) expect(value).toMatch(/^[A-Z]{2}-\d{3}$/);
  });

  it('are requested when none can be derived', () => {
    expect(() => sampleValues(read('a:string(pattern=^\\u{1F600}$)'), 2)).toThrow(
      'No example can be derived from the rules of the field a: add one, as in example=….',
    );
  });
});
