import { Transform } from 'class-transformer';
import { IsInt, IsObject, IsString, MaxLength, ValidateIf } from 'class-validator';
import fc from 'fast-check';
import { AppError } from '../errors/app-error';
import { InvalidParameterError } from '../errors/http-errors';
import { readJson } from '../values/json-reader';
import { DtoPipe } from './dto.pipe';
import { fieldNames } from './dto-members';
import { EnumField, Int64Field, StringField } from './fields';

enum Colour {
  Red = 'red',
  Blue = 'blue',
}

class Thing {
  @StringField({ description: 'Name.', example: 'Ball' })
  name!: string;
}

class Toy extends Thing {
  @Int64Field({ description: 'Number.', example: 1 })
  number!: bigint;

  @EnumField(Colour, 'Colour', { description: 'Colour.', example: 'red', optional: true })
  colour?: Colour;
}

const pipe = new DtoPipe();

function transform(json: string): Toy {
  return pipe.transform(readJson(Buffer.from(json)), { type: 'body', metatype: Toy }) as Toy;
}

function refusal(json: string): [string, string] {
  try {
    transform(json);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return [error.code, error.message];
  }
  return ['accepted', ''];
}

const NAME = 'name must be a string of well-formed Unicode without U+0000.';
const NUMBER = 'number must be an integer from -9223372036854775808 to 9223372036854775807.';
const COLOUR = 'colour must be one of red, blue.';

describe('The fields of a DTO', () => {
  it('are its own and those of its parent classes', () => {
    expect(fieldNames(Toy).sort()).toEqual(['colour', 'name', 'number']);
  });

  it('are read into an instance without a change of value', () => {
    const toy = transform('{"name":"Ball","number":9223372036854775807,"colour":"red"}');
    expect(toy).toBeInstanceOf(Toy);
    expect({ ...toy }).toEqual({ name: 'Ball', number: 9223372036854775807n, colour: 'red' });
  });

  it('are the only members that are read', () => {
    const toy = transform('{"name":"","number":0,"id":1,"__proto__":{"x":1},"constructor":1,"toString":2}');
    expect({ ...toy }).toEqual({ name: '', number: 0n, colour: undefined });
    expect(Object.getPrototypeOf(toy)).toBe(Toy.prototype);
  });

  it.each([
    ['{"number":1}', 'name is required.'],
    ['{"name":null,"number":1}', NAME],
    ['{"name":7,"number":1}', NAME],
    ['{"name":["Ball"],"number":1}', NAME],
    ['{"name":"\\u0000","number":1}', NAME],
    ['{"name":"\\ud800","number":1}', NAME],
    ['{"name":{"constructor":1},"number":1}', NAME],
    ['{"name":[{"a":{"constructor":{"name":"Buffer"}}}],"number":1}', NAME],
    ['{"name":{"__proto__":{"length":1}},"number":1}', NAME],
    ['{"__proto__":{"name":"Ball"},"number":1}', 'name is required.'],
    ['{"name":"Ball"}', 'number is required.'],
    ['{"name":"Ball","number":"1"}', NUMBER],
    ['{"name":"Ball","number":1.5}', NUMBER],
    ['{"name":"Ball","number":9223372036854775808}', NUMBER],
    ['{"name":"Ball","number":true}', NUMBER],
    ['{"name":"Ball","number":1,"colour":null}', COLOUR],
    ['{"name":"Ball","number":1,"colour":"Red"}', COLOUR],
    ['{"name":"Ball","number":1,"colour":["red"]}', COLOUR],
  ])('refuse %s', (json, message) => {
    expect(refusal(json)).toEqual(['invalid_field', message]);
  });

  it('report a missing query parameter as required', () => {
    const read = () => pipe.transform({ name: 'Ball' }, { type: 'query', metatype: Toy });
    expect(read).toThrow(new InvalidParameterError({ message: 'number is required.' }));
  });

  it('report a missing member as required, whatever its other rules are', () => {
    class Letter {
      @MaxLength(3)
      @IsString({ message: 'Write something.' })
      text!: string;

      @ValidateIf(({ text }: Letter) => text === 'tip')
      @IsString()
      sender?: string;

      @Transform(({ value }) => (value === 'large' ? undefined : 1))
      @IsInt()
      size!: number;
    }
    const read = (letter: object) => () => pipe.transform(letter, { type: 'body', metatype: Letter });
    expect(read({})).toThrow('text is required.');
    expect(read({ text: 7 })).toThrow('Write something.');
    expect(read({ text: 'tip' })).toThrow('sender is required.');
    expect(read({ text: 'tap', size: 'small' })).not.toThrow();
    expect(read({ text: 'tap', size: 'large' })).toThrow('size must be an integer number');
  });

  it.each(['null', '[]', '1', '"x"', 'true'])(
    'are refused when the value is %s instead of an object',
    (json) => {
      expect(refusal(json)).toEqual(['invalid_body', 'The body must be a JSON object.']);
    },
  );

  it('are validated without a crash for arbitrary JSON', () => {
    const key = fc.oneof(
      fc.constantFrom('constructor', '__proto__', 'then', 'length', 'name', 'toJSON', 'prototype', 'get'),
      fc.string(),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { maxDepth: 4 },
        fc.constantFrom(null, true, 1.5, 1n, '', 'red'),
        fc.array(tie('value'), { maxLength: 3 }),
        fc.array(fc.tuple(key, tie('value')), { maxLength: 3 }).map((all) => Object.fromEntries(all)),
      ),
    }));
    fc.assert(
      fc.property(value, value, value, (name, number, colour) => {
        const body = { name, number, colour };
        const isValid = typeof name === 'string' && typeof number === 'bigint' && colour === 'red';
        try {
          pipe.transform(body, { type: 'body', metatype: Toy });
          expect(isValid).toBe(true);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid_field' });
          expect(isValid).toBe(false);
        }
      }),
      { numRuns: 1_000 },
    );
  });
});

describe('Objects of a body that no class describes', () => {
  class Note {
    @IsObject()
    content!: object;
  }

  it.each([
    ['in a member of a DTO', Note],
    ['without any DTO', Object],
  ])(
    'are copied %s without members named constructor, and with numbers where these are exact',
    (_where, metatype) => {
      const json =
        '{"content":{"a":[{"constructor":1,"b":{"constructor":{"c":2},"d":3}}],"e":9007199254740993}}';
      const body = readJson(Buffer.from(json));
      expect(pipe.transform(body, { type: 'body', metatype })).toEqual({
        content: { a: [{ b: { d: 3 } }], e: 9007199254740993n },
      });
    },
  );
});

describe('An argument that is neither body nor query', () => {
  it.each(['param', 'custom'] as const)('passes unchanged: %s', (type) => {
    const value = { any: 1 };
    expect(pipe.transform(value, { type, metatype: Toy })).toBe(value);
  });
});
