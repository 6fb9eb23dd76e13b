import fc from 'fast-check';
import { AppError } from '../errors/app-error';
import { readJson } from '../values/json-reader';
import { DtoPipe } from './dto.pipe';
import { BooleanField, DateTimeField, EnumField, IntegerField, StringField, UuidField } from './fields';
import { applyMergePatch, MergePatchType } from './merge-patch';

enum Colour {
  Red = 'red',
  Blue = 'blue',
}

const about = { description: 'Of a toy.', example: 1 };

class Thing {
  @StringField(about)
  name!: string;

  @UuidField({ ...about, optional: true })
  mark?: string;
}

class NewToy extends Thing {
  @IntegerField(about)
  size!: number;

  @BooleanField({ ...about, optional: true })
  isSoft?: boolean;

  @DateTimeField({ ...about, optional: true })
  soldAt?: Date;

  @EnumField(Colour, 'Colour', { ...about, optional: true })
  colour?: Colour;
}

class ToyPatch extends MergePatchType(NewToy) {}

function readAs<Dto extends object>(type: new () => Dto, json: string): Dto {
  return new DtoPipe().transform(readJson(Buffer.from(json)), { type: 'body', metatype: type }) as Dto;
}

function refusal(type: new () => object, json: string): string {
  try {
    readAs(type, json);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    expect(error.code).toBe('invalid_field');
    return error.message;
  }
  return 'accepted';
}

/** Returns the members that a patch names. */
function given(json: string): object {
  return Object.fromEntries(
    Object.entries(readAs(ToyPatch, json)).filter(([, value]) => value !== undefined),
  );
}

const SENTENCES = {
  name: 'name must be a string of well-formed Unicode without U+0000.',
  mark: 'mark must be a UUID such as 9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e.',
  size: 'size must be an integer from -2147483648 to 2147483647.',
  isSoft: 'isSoft must be true or false.',
  soldAt: 'soldAt must be a date and time with an offset such as 2026-01-31T09:30:00Z.',
  colour: 'colour must be one of red, blue.',
};

describe('The class of a merge patch', () => {
  it('makes every member optional', () => {
    expect(given('{}')).toEqual({});
    expect(readAs(ToyPatch, '{}')).toBeInstanceOf(ToyPatch);
  });

  it('has the members of the patched class and its parents, with their types', () => {
    const all =
      '{"name":"Ball","mark":"9F1C7A52-2F6C-4B5A-9A53-0F6F6A0C4F8E","size":7,"isSoft":false,' +
      '"soldAt":"2026-01-31T09:30:00+02:00","colour":"blue"}';
    expect(given(all)).toStrictEqual({
      name: 'Ball',
      mark: '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e',
      size: 7,
      isSoft: false,
      soldAt: new Date('2026-01-31T07:30:00Z'),
      colour: 'blue',
    });
  });

  it('ignores other members', () => {
    expect(given('{"id":1,"__proto__":{"x":1},"constructor":null,"weight":null}')).toEqual({});
  });

  it.each(['mark', 'isSoft', 'soldAt', 'colour'])('accepts null for the optional member %s', (name) => {
    expect(given(`{"${name}":null}`)).toStrictEqual({ [name]: null });
  });

  it.each(['name', 'size'] as const)('refuses null for the required member %s', (name) => {
    expect(refusal(ToyPatch, `{"${name}":null}`)).toBe(SENTENCES[name]);
  });

  it.each([
    ['name', '7'],
    ['name', '"\\u0000"'],
    ['mark', '"x"'],
    ['size', '2147483648'],
    ['size', '"1"'],
    ['isSoft', '0'],
    ['soldAt', '"2026-01-31"'],
    ['soldAt', '""'],
    ['colour', '"green"'],
    ['colour', '[]'],
  ] as const)('refuses for %s the value %s, like the creation', (name, json) => {
    expect(refusal(ToyPatch, `{"${name}":${json}}`)).toBe(SENTENCES[name]);
    const others = Object.entries({ name: '"Ball"', size: '1' }).filter(([other]) => other !== name);
    const creation = [...others, [name, json]].map(([member, value]) => `"${member}":${value}`).join();
    expect(refusal(NewToy, `{${creation}}`)).toBe(SENTENCES[name]);
  });

  it('leaves the patched class unchanged', () => {
    expect(refusal(NewToy, '{}')).not.toBe('accepted');
    expect(refusal(NewToy, '{"name":"Ball","size":1,"colour":null}')).toBe(SENTENCES.colour);
    expect(refusal(NewToy, '{"name":"Ball","size":1,"mark":null}')).toBe(SENTENCES.mark);
  });
});

describe('A row after a merge patch', () => {
  const row = {
    id: 1n,
    name: 'Ball',
    mark: null,
    size: 7,
    isSoft: true,
    soldAt: new Date('2026-01-31T07:30:00Z'),
    colour: Colour.Red,
  } as const;
  const patched = (json: string) => applyMergePatch<object>(row, readAs(ToyPatch, json));

  it('is unchanged when the patch is empty', () => {
    expect(patched('{}')).toStrictEqual(row);
  });

  it('has the given values, null for removed ones, and the rest unchanged', () => {
    const patch = '{"size":0,"isSoft":null,"colour":"blue","soldAt":null,"mark":null}';
    expect(patched(patch)).toStrictEqual({
      ...row,
      size: 0,
      isSoft: null,
      soldAt: null,
      colour: 'blue',
    });
  });

  it('is a copy, and the original row stays unchanged', () => {
    const before = { ...row };
    expect(patched('{"name":"Cube"}')).not.toBe(row);
    expect(row).toStrictEqual(before);
  });

  it('keeps its id', () => {
    expect(patched('{"id":2}')).toStrictEqual(row);
  });

  it('is the same when the patch is applied again', () => {
    const members = fc.record(
      { size: fc.nat(9), name: fc.string(), isSoft: fc.option(fc.boolean()), colour: fc.constant(null) },
      { requiredKeys: [], noNullPrototype: true },
    );
    fc.assert(
      fc.property(members, (patch) => {
        const once = applyMergePatch<object>(row, patch);
        expect(once).toStrictEqual({ ...row, ...patch });
        expect(applyMergePatch(once, patch)).toStrictEqual(once);
      }),
    );
  });
});
