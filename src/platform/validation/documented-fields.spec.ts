import 'reflect-metadata';
import { Body, Controller, Module, Post, Query } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApiSchema, SwaggerModule } from '@nestjs/swagger';
import { finishSchemas, type Schema } from '../openapi/schemas';
import {
  BooleanField,
  DateField,
  DateTimeField,
  EnumField,
  Int64Field,
  IntegerField,
  NumberField,
  ReferenceField,
  StringField,
  UuidField,
} from './fields';
import { MergePatchType } from './merge-patch';
import {
  BooleanParameter,
  DateTimeParameter,
  EnumParameter,
  Int64Parameter,
  IntegerParameter,
  PrefixParameter,
  SortParameter,
} from './parameters';

enum Colour {
  Red = 'red',
  Blue = 'blue',
}

const UUID = '9f1c7a52-2f6c-4b5a-9a53-0f6f6a0c4f8e';

/** Every type of field, each once required and once optional. */
class NewToy {
  @Int64Field({ description: 'Serial.', example: 1 })
  serial!: bigint;

  @Int64Field({ description: 'Serial, maybe.', example: 1, optional: true })
  serialMaybe?: bigint;

  @ReferenceField('/boxes', { description: 'Box.', example: 2 })
  boxId!: bigint;

  @ReferenceField('/boxes', { description: 'Box, maybe.', example: 2, optional: true })
  boxIdMaybe?: bigint;

  @IntegerField({ description: 'Size.', example: 3 })
  size!: number;

  @IntegerField({ description: 'Size, maybe.', example: 3, optional: true })
  sizeMaybe?: number;

  @NumberField({ description: 'Weight.', example: 0.5 })
  weight!: number;

  @NumberField({ description: 'Weight, maybe.', example: 0.5, optional: true })
  weightMaybe?: number;

  @BooleanField({ description: 'Soft.', example: true })
  soft!: boolean;

  @BooleanField({ description: 'Soft, maybe.', example: true, optional: true })
  softMaybe?: boolean;

  @StringField({ description: 'Name.', example: 'Ball' })
  name!: string;

  @StringField({ description: 'Name, maybe.', example: 'Ball', optional: true })
  nameMaybe?: string;

  @DateField({ description: 'Day.', example: '2026-01-31' })
  day!: string;

  @DateField({ description: 'Day, maybe.', example: '2026-01-31', optional: true })
  dayMaybe?: string;

  @DateTimeField({ description: 'Sold.', example: '2026-01-31T09:30:00.000Z' })
  sold!: Date;

  @DateTimeField({ description: 'Sold, maybe.', example: '2026-01-31T09:30:00.000Z', optional: true })
  soldMaybe?: Date;

  @UuidField({ description: 'Mark.', example: UUID })
  mark!: string;

  @UuidField({ description: 'Mark, maybe.', example: UUID, optional: true })
  markMaybe?: string;

  @EnumField(Colour, 'Colour', { description: 'Colour.', example: 'red' })
  colour!: Colour;

  @EnumField(Colour, 'Colour', { description: 'Colour, maybe.', example: 'blue', optional: true })
  colourMaybe?: Colour;
}

@ApiSchema({ name: 'ToyPatch' })
class ToyPatchDto extends MergePatchType(NewToy) {}

class ToysQuery {
  @Int64Parameter({ description: 'Keeps one box.' })
  boxId?: bigint;

  @BooleanParameter({ description: 'Keeps the soft.' })
  soft?: boolean;

  @EnumParameter(Colour, 'Colour', { description: 'Keeps one colour.' })
  colour?: Colour;

  @IntegerParameter({ description: 'Size.', minimum: 1, maximum: 100, default: 20 })
  size!: number;

  @EnumParameter(Colour, 'Colour', { description: 'Keeps some colours.', isArray: true })
  colours?: Colour[];

  @Int64Parameter({ description: 'Keeps some boxes.', isArray: true })
  boxIds?: bigint[];

  @DateTimeParameter({ description: 'Keeps the later.', from: 'sold' })
  soldFrom?: Date;

  @PrefixParameter({ description: 'Keeps a beginning.', prefix: 'name' })
  namePrefix?: string;

  @SortParameter('sold')
  sort?: string;
}

@Controller('toys')
class ToysController {
  @Post()
  addToy(@Body() toy: NewToy, @Query() query: ToysQuery): object {
    return { toy, query };
  }

  @Post('patches')
  patchToy(@Body() patch: ToyPatchDto): object {
    return patch;
  }
}

@Module({ controllers: [ToysController] })
class ToysModule {}

const MEMBERS: Record<string, object> = {
  serial: { type: 'integer', format: 'int64', description: 'Serial.', example: 1 },
  boxId: { type: 'integer', format: 'int64', description: 'Box.', example: 2, 'x-refers-to': '/boxes' },
  size: { type: 'integer', format: 'int32', description: 'Size.', example: 3 },
  weight: { type: 'number', format: 'double', description: 'Weight.', example: 0.5 },
  soft: { type: 'boolean', description: 'Soft.', example: true },
  name: { type: 'string', description: 'Name.', example: 'Ball' },
  day: { type: 'string', format: 'date', description: 'Day.', example: '2026-01-31' },
  sold: { type: 'string', format: 'date-time', description: 'Sold.', example: '2026-01-31T09:30:00.000Z' },
  mark: { type: 'string', format: 'uuid', description: 'Mark.', example: UUID },
};
const NAMES = Object.keys(MEMBERS);
const COLOUR = { $ref: '#/components/schemas/Colour' };

describe('The document of the fields', () => {
  let schemas: Record<string, Schema & { required?: string[] }>;
  let parameters: unknown;

  beforeAll(async () => {
    const app = await NestFactory.create(ToysModule, { logger: false });
    const { paths, components } = SwaggerModule.createDocument(app, {
      openapi: '3.0.3',
      info: { title: 'toys', version: '1' },
    });
    await app.close();
    schemas = components?.schemas as typeof schemas;
    parameters = paths['/toys']?.post?.parameters;
    finishSchemas(schemas);
  });

  function member(schema: string, name: string): Schema | undefined {
    return schemas[schema]?.properties?.[name];
  }

  const maybe = (name: string) => ({
    ...MEMBERS[name],
    description: (MEMBERS[name] as Schema).description?.replace('.', ', maybe.'),
  });

  it.each(NAMES)('has the type, format, description and example of a field: %s', (name) => {
    expect(member('NewToy', name)).toEqual(MEMBERS[name]);
    expect(member('NewToy', `${name}Maybe`)).toEqual(maybe(name));
  });

  it.each(NAMES)('allows null in a merge patch for an optional field: %s', (name) => {
    expect(member('ToyPatch', name)).toEqual(MEMBERS[name]);
    expect(member('ToyPatch', `${name}Maybe`)).toEqual({ ...maybe(name), nullable: true });
  });

  it('refers to an enum by its name, and lists its values and null where a merge patch may remove it', () => {
    expect(member('NewToy', 'colour')).toEqual(COLOUR);
    expect(member('NewToy', 'colourMaybe')).toEqual(COLOUR);
    expect(member('ToyPatch', 'colour')).toEqual(COLOUR);
    expect(member('ToyPatch', 'colourMaybe')).toEqual({
      type: 'string',
      description: 'Colour, maybe.',
      enum: ['red', 'blue', null],
      nullable: true,
      example: 'blue',
    });
  });

  it('requires mandatory fields, but none of a merge patch', () => {
    expect(schemas.NewToy?.required).toEqual([...NAMES, 'colour']);
    expect(schemas.ToyPatch).not.toHaveProperty('required');
    expect(Object.keys(schemas.ToyPatch?.properties ?? {})).toEqual(
      Object.keys(schemas.NewToy?.properties ?? {}),
    );
  });

  it('has the parameters of a query as optional', () => {
    const query = { in: 'query', required: false };
    expect(parameters).toEqual([
      {
        ...query,
        name: 'boxId',
        description: 'Keeps one box.',
        schema: { type: 'integer', format: 'int64' },
      },
      { ...query, name: 'soft', description: 'Keeps the soft.', schema: { type: 'boolean' } },
      { ...query, name: 'colour', description: 'Keeps one colour.', schema: COLOUR },
      {
        ...query,
        name: 'size',
        description: 'Size.',
        schema: { type: 'integer', minimum: 1, maximum: 100, default: 20 },
      },
      {
        ...query,
        name: 'colours',
        description: 'Keeps some colours.',
        schema: { type: 'array', items: COLOUR },
      },
      {
        ...query,
        name: 'boxIds',
        description: 'Keeps some boxes.',
        schema: { type: 'array', items: { type: 'integer', format: 'int64' }, maxItems: 50 },
      },
      {
        ...query,
        name: 'soldFrom',
        description: 'Keeps the later.',
        schema: { type: 'string', format: 'date-time' },
      },
      {
        ...query,
        name: 'namePrefix',
        description: 'Keeps a beginning.',
        schema: { type: 'string', minLength: 1, maxLength: 100 },
      },
      {
        ...query,
        name: 'sort',
        description:
          'In which order: by a field, in descending order with a hyphen before it. Items without a value come last.',
        schema: { type: 'string', enum: ['id', '-id', 'sold', '-sold'], default: 'id' },
      },
    ]);
  });
});
