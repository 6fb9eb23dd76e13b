import 'reflect-metadata';
import { Body, Controller, Module, Post } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiSchema, OmitType, SwaggerModule } from '@nestjs/swagger';
import { AppError } from '../errors/app-error';
import { finishSchemas, type Schema } from '../openapi/schemas';
import { readJson } from '../values/json-reader';
import { DtoPipe } from './dto.pipe';
import { DecimalField, EnumField, Int64Field, IntegerField, NumberField, StringField } from './fields';
import { MergePatchType, RequiredType } from './merge-patch';

enum Colour {
  Red = 'red',
  Blue = 'blue',
}

/** Fields with limits, one of each kind, and with defaults. */
class NewToy {
  @StringField({ description: 'Name.', example: 'Ball', minLength: 2, maxLength: 4 })
  name!: string;

  @StringField({ description: 'Code.', example: 'AB', pattern: '^[A-Z]{2}$', optional: true })
  code?: string;

  @IntegerField({ description: 'Size.', example: 1, minimum: 1, maximum: 10, default: 3 })
  size?: number;

  @Int64Field({ description: 'Serial.', example: 7, minimum: 5, optional: true })
  serial?: bigint;

  @NumberField({ description: 'Weight.', example: 0.5, minimum: 0, maximum: 1, optional: true })
  weight?: number;

  @NumberField({ description: 'Price.', example: 0.5, maximum: 9, optional: true })
  price?: number;

  @DecimalField(
    { precision: 5, scale: 2 },
    { description: 'Fee.', example: '1.50', minimum: '0', maximum: '10.5', optional: true },
  )
  fee?: string;

  @EnumField(Colour, 'Colour', {
    description: 'Colour.',
    example: Colour.Red,
    labels: { blue: 'Sky blue' },
    default: Colour.Red,
  })
  colour?: Colour;
}

@ApiSchema({ name: 'Toy' })
class Toy extends RequiredType(NewToy, ['size', 'colour']) {}

@ApiSchema({ name: 'ToyPatch' })
class ToyPatch extends MergePatchType(OmitType(NewToy, ['code'])) {}

@ApiSchema({ name: 'StoredToyPatch' })
class StoredToyPatch extends MergePatchType(RequiredType(NewToy, ['size', 'colour'])) {}

@Controller('toys')
class ToysController {
  @Post()
  add(@Body() toy: NewToy): Toy {
    return toy as Toy;
  }

  @Post('patches')
  patch(@Body() patch: ToyPatch): object {
    return patch;
  }

  @Post('stored-patches')
  patchStored(@Body() patch: StoredToyPatch): object {
    return patch;
  }
}

@Module({ controllers: [ToysController] })
class ToysModule {}

function read(type: new () => object, json: string): object {
  return new DtoPipe().transform(readJson(Buffer.from(json)), { type: 'body', metatype: type }) as object;
}

function refusal(json: string, type: new () => object = NewToy): string {
  try {
    read(type, json);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return error.message;
  }
  return 'accepted';
}

describe('A field with limits', () => {
  const text = 'must be a string of well-formed Unicode without U+0000';

  it.each([
    ['{"name":"ab"}', 'accepted'],
    ['{"name":"abcd"}', 'accepted'],
    ['{"name":"\u{1F600}\u{1F600}\u{1F600}\u{1F600}"}', 'accepted'],
    ['{"name":"a"}', `name ${text}, from 2 to 4 characters.`],
    ['{"name":"\u{1F600}"}', `name ${text}, from 2 to 4 characters.`],
    ['{"name":"abcde"}', `name ${text}, from 2 to 4 characters.`],
    ['{"name":"ab","code":"AB"}', 'accepted'],
    ['{"name":"ab","code":"ABC"}', `code ${text}, that matches ^[A-Z]{2}$.`],
    ['{"name":"ab","size":10}', 'accepted'],
    ['{"name":"ab","size":0}', 'size must be an integer from 1 to 10.'],
    ['{"name":"ab","size":11}', 'size must be an integer from 1 to 10.'],
    ['{"name":"ab","serial":9223372036854775807}', 'accepted'],
    ['{"name":"ab","serial":4}', 'serial must be an integer from 5 to 9223372036854775807.'],
    ['{"name":"ab","weight":1}', 'accepted'],
    ['{"name":"ab","weight":1.01}', 'weight must be a number from 0 to 1.'],
    ['{"name":"ab","fee":"10.50"}', 'accepted'],
    ...['"10.51"', '"-0.01"', '1.5', '"1.505"', '""'].map((fee) => [
      `{"name":"ab","fee":${fee}}`,
      'fee must be a decimal in a string, such as "1.00", with at most 3 digits before the point and 2 behind it, from 0.00 to 10.50.',
    ]),
    ['{"name":"ab","price":9.5}', 'price must be a number of at most 9.'],
  ])('is validated against them: %s', (json, sentence) => {
    expect(refusal(json)).toBe(sentence);
  });

  it.each(['{"size":11}', '{"name":"a"}'])('is validated against them in a patch: %s', (json) => {
    expect(refusal(json, ToyPatch)).not.toBe('accepted');
  });
});

describe('A field that is a decimal', () => {
  it('is read with all its decimal places', () => {
    expect(read(NewToy, '{"name":"ab","fee":"1.5"}')).toMatchObject({ fee: '1.50' });
    expect(read(ToyPatch, '{"fee":"-0"}')).toMatchObject({ fee: '0.00' });
  });
});

describe('A field with a default', () => {
  it('may be left out, is not set by a patch, and cannot be removed', () => {
    expect(refusal('{"name":"ab"}')).toBe('accepted');
    for (const type of [ToyPatch, StoredToyPatch]) {
      expect(Object.values(read(type, '{}')).filter((value) => value !== undefined)).toEqual([]);
      expect(refusal('{"size":null}', type)).toBe('size must be an integer from 1 to 10.');
      expect(refusal('{"serial":null}', type)).toBe('accepted');
    }
  });
});

describe('The document of fields with limits', () => {
  let schemas: Record<string, Schema>;

  beforeAll(async () => {
    const app = await NestFactory.create(ToysModule, { logger: false });
    const document = SwaggerModule.createDocument(
      app,
      { openapi: '3.0.3', info: { title: 'toys', version: '1' } },
      { extraModels: [Toy] },
    );
    await app.close();
    schemas = document.components?.schemas as typeof schemas;
    finishSchemas(schemas);
  });

  it('has the limits and the defaults of a creation', () => {
    expect(schemas.NewToy?.required).toEqual(['name']);
    expect(schemas.NewToy?.properties).toMatchObject({
      name: { minLength: 2, maxLength: 4 },
      code: { pattern: '^[A-Z]{2}$' },
      size: { minimum: 1, maximum: 10, default: 3 },
      serial: { minimum: 5 },
      fee: {
        type: 'string',
        format: 'decimal',
        pattern: '^-?(0|[1-9]\\d{0,2})(\\.\\d{1,2})?$',
        description: 'Fee. It must be from 0.00 to 10.50.',
      },
    });
    expect(schemas.Colour?.description).toBe('Colour. `blue` is Sky blue. Unless given, it is `red`.');
  });

  it('has no defaults in a patch and in a response', () => {
    for (const name of ['Toy', 'ToyPatch', 'StoredToyPatch']) {
      expect(JSON.stringify(schemas[name]?.properties)).not.toContain('default');
    }
    expect(schemas.Toy?.required).toEqual(['name', 'size', 'colour']);
    expect(schemas.ToyPatch).not.toHaveProperty('required');
    expect(schemas.ToyPatch?.properties).not.toHaveProperty('code');
    expect(schemas.ToyPatch?.properties).toMatchObject({
      size: { minimum: 1, maximum: 10 },
      serial: { nullable: true },
    });
    expect(schemas.ToyPatch?.properties?.size).not.toHaveProperty('nullable');
  });
});
