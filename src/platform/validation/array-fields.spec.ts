import type { Type } from '@nestjs/common';
import { AppError } from '../errors/app-error';
import { readJson } from '../values/json-reader';
import { documentedAs, dtoMembers } from './dto-members';
import { DtoPipe } from './dto.pipe';
import {
  BooleanField,
  DateField,
  DateTimeField,
  DecimalField,
  EnumField,
  Int64Field,
  IntegerField,
  NumberField,
  ReferenceField,
  StringField,
  UuidField,
} from './fields';
import { MergePatchType } from './merge-patch';
import { ObjectArrayField } from './object-array-field';

const COLOURS = { Red: 'red', Green: 'green' };
const PRICE = { precision: 6, scale: 2 };

function about(...example: (string | number | boolean)[]) {
  return { description: 'Of a toy.', example, isArray: true, optional: true };
}

/** An array of each type. */
class Toy {
  @StringField({ ...about('soft'), maxLength: 5, maxItems: 3, optional: false }) tags!: string[];
  @IntegerField({ ...about(1), minimum: 1 }) sizes?: number[];
  @Int64Field(about(1)) serials?: bigint[];
  @NumberField({ ...about(0.5), minItems: 2 }) weights?: number[];
  @DecimalField(PRICE, { ...about('1.50'), minimum: '0' }) prices?: string[];
  @BooleanField(about(true)) flags?: boolean[];
  @DateField(about('2026-01-31')) days?: string[];
  @DateTimeField({ ...about('2026-01-31T09:30:00Z'), minItems: 1, maxItems: 2 }) times?: Date[];
  @UuidField(about('9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e')) marks?: string[];
  @EnumField(COLOURS, 'Colour', about('red')) colours?: string[];
}

/** Arrays whose items differ. */
class Links {
  @ReferenceField('/pets', { ...about(1), uniqueItems: true, optional: false }) links!: bigint[];
  @DateTimeField({ ...about('2026-01-31T09:30:00Z'), uniqueItems: true }) moments?: Date[];
}

class ToyPatch extends MergePatchType(Toy) {}

class Part {
  @Int64Field({ description: 'The serial.', example: 1 }) serial!: bigint;
  @IntegerField({ description: 'How many.', example: 2, optional: true }) count?: number;
}

/** An array of objects. */
class Box {
  @ObjectArrayField(Part, { description: 'The parts.', maxItems: 2 }) parts!: Part[];
}

function read(json: string, metatype: Type = Toy): Record<string, unknown> {
  const body = readJson(Buffer.from(json));
  return { ...(new DtoPipe().transform(body, { type: 'body', metatype }) as object) };
}

function refusal(json: string, metatype?: Type): string {
  try {
    read(json, metatype);
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  return 'It was taken.';
}

describe('A field that is an array', () => {
  it('reads each item as a field of its type reads its value', () => {
    const values = read(
      '{"tags":["soft",""],"sizes":[1,2.0,1e2],"serials":[9223372036854775807,-9223372036854775808],' +
        '"weights":[1,0.5],"prices":["1.5","2"],"flags":[true,false],"days":["2026-01-31"],' +
        '"times":["2026-01-31T09:30:00+01:00"],"marks":["9F1C7A52-2F6C-4B5A-9A53-0F6F6A0C4F8E"],' +
        '"colours":["green","red","green"]}',
    );
    expect(values).toEqual({
      tags: ['soft', ''],
      sizes: [1, 2, 100],
      serials: [2n ** 63n - 1n, -(2n ** 63n)],
      weights: [1, 0.5],
      prices: ['1.50', '2.00'],
      flags: [true, false],
      days: ['2026-01-31'],
      times: [new Date('2026-01-31T08:30:00Z')],
      marks: ['9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e'],
      colours: ['green', 'red', 'green'],
    });
  });

  it('accepts the empty array unless items are required', () => {
    expect(read('{"tags":[]}')).toMatchObject({ tags: [] });
    expect(refusal('{"tags":[],"times":[]}')).toBe('times must be an array of 1 to 2 items.');
  });

  it.each([
    ['{}', 'tags is required.'],
    ['{"tags":null}', 'tags must be an array of at most 3 items.'],
    ['{"tags":"soft"}', 'tags must be an array of at most 3 items.'],
    ['{"tags":{"0":"soft","length":1}}', 'tags must be an array of at most 3 items.'],
    ['{"tags":["a","b","c","d"]}', 'tags must be an array of at most 3 items.'],
    ['{"tags":[],"weights":[1]}', 'weights must be an array of at least 2 items.'],
    ['{"tags":[],"serials":1}', 'serials must be an array.'],
    [
      '{"tags":["a",null]}',
      'tags[1] must be a string of well-formed Unicode without U+0000, of at most 5 characters.',
    ],
    ['{"tags":["a","b","longer"]}', 'tags[2] must be a string of well-formed Unicode without U+0000'],
    ['{"tags":[["a"]]}', 'tags[0] must be a string'],
    ['{"tags":["\\u0000"]}', 'tags[0] must be a string'],
    ['{"tags":[{"constructor":1}]}', 'tags[0] must be a string'],
    ['{"tags":[],"sizes":[1,0]}', 'sizes[1] must be an integer from 1 to 2147483647.'],
    ['{"tags":[],"sizes":["1"]}', 'sizes[0] must be an integer'],
    ['{"tags":[],"sizes":[1.5]}', 'sizes[0] must be an integer'],
    [
      '{"tags":[],"serials":[9223372036854775808]}',
      'serials[0] must be an integer from -9223372036854775808',
    ],
    ['{"tags":[],"weights":[1,1e400]}', 'weights[1] must be a number within the range of a double.'],
    ['{"tags":[],"prices":["-1"]}', 'prices[0] must be a decimal in a string'],
    ['{"tags":[],"flags":[1]}', 'flags[0] must be true or false.'],
    ['{"tags":[],"days":["2026-02-30"]}', 'days[0] must be a date such as 2026-01-31.'],
    ['{"tags":[],"times":["2026-01-31"]}', 'times[0] must be a date and time'],
    ['{"tags":[],"marks":[""]}', 'marks[0] must be a UUID'],
    ['{"tags":[],"colours":["red","blue"]}', 'colours[1] must be one of red, green.'],
  ])('refuses %s, naming the item', (json, message) => {
    expect(refusal(json)).toContain(message);
  });

  it('refuses an item that is there before, where items must differ', () => {
    expect(read('{"links":[2,1],"moments":[]}', Links)).toEqual({ links: [2n, 1n], moments: [] });
    expect(refusal('{"links":[9223372036854775807,1,9223372036854775807]}', Links)).toBe(
      'links[2] must be different from the items before it.',
    );
    expect(
      refusal('{"links":[],"moments":["2026-01-31T09:30:00Z","2026-01-31T10:30:00+01:00"]}', Links),
    ).toBe('moments[1] must be different from the items before it.');
    expect(documentedAs(Links, 'links')).toMatchObject({ uniqueItems: true });
  });

  it('is removed by null in a patch where it is optional, and replaced as a whole', () => {
    expect(read('{"sizes":null}', ToyPatch)).toMatchObject({ sizes: null });
    expect(read('{"tags":["new"]}', ToyPatch)).toMatchObject({ tags: ['new'] });
    expect(refusal('{"tags":null}', ToyPatch)).toBe('tags must be an array of at most 3 items.');
  });

  it('is documented as an array of what its items are', () => {
    const documented = (dto: typeof Toy | typeof ToyPatch, name: string) => documentedAs(dto, name);
    expect(dtoMembers(Toy)).toHaveLength(10);
    expect(documented(Toy, 'tags')).toMatchObject({
      type: 'array',
      items: { type: 'string', maxLength: 5 },
      maxItems: 3,
      description: 'Of a toy.',
      example: ['soft'],
      required: true,
    });
    expect(documented(Toy, 'prices')).toMatchObject({
      items: { type: 'string', format: 'decimal', 'x-minimum': '0.00' },
      description: 'Of a toy. Each must be at least 0.00.',
    });
    expect(documented(Toy, 'colours')).toMatchObject({
      type: 'array',
      items: { type: 'string', enum: ['red', 'green'] },
      enumName: 'Colour',
    });
    expect(documented(ToyPatch, 'sizes')).toMatchObject({ type: 'array', nullable: true, required: false });
  });
});

describe('A field that is an array of objects', () => {
  it('reads each object by the rules of its fields, and leaves out unknown members', () => {
    const { parts } = read(
      '{"parts":[{"serial":9223372036854775807,"other":1},{"count":2,"serial":1}]}',
      Box,
    );
    expect(parts).toEqual([{ serial: 2n ** 63n - 1n }, { serial: 1n, count: 2 }]);
    expect(read('{"parts":[]}', Box)).toEqual({ parts: [] });
  });

  it.each([
    ['{}', 'parts is required.'],
    ['{"parts":null}', 'parts must be an array of at most 2 items.'],
    ['{"parts":{}}', 'parts must be an array of at most 2 items.'],
    ['{"parts":[{"serial":1},{"serial":1},{"serial":1}]}', 'parts must be an array of at most 2 items.'],
    ['{"parts":[null]}', 'parts[0] must be an object.'],
    ['{"parts":[{"serial":1},"a"]}', 'parts[1] must be an object.'],
    ['{"parts":[[]]}', 'parts[0] must be an object.'],
    ['{"parts":[{}]}', 'parts[0].serial is required.'],
    ['{"parts":[{"serial":1},{"serial":1,"count":1e400}]}', 'parts[1].count must be an integer'],
    ['{"parts":[{"serial":1,"count":null}]}', 'parts[0].count must be an integer'],
    ['{"parts":[{"serial":{"constructor":1}}]}', 'parts[0].serial must be an integer'],
  ])('refuses %s, naming the member', (json, message) => {
    expect(refusal(json, Box)).toContain(message);
  });

  it('is documented with an example composed of those of its fields', () => {
    expect(documentedAs(Box, 'parts')).toMatchObject({
      type: Part,
      isArray: true,
      maxItems: 2,
      required: true,
      example: [{ serial: 1, count: 2 }],
    });
  });
});
