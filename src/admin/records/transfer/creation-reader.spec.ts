import { MaxLength } from 'class-validator';
import fc from 'fast-check';
import { NewPetDto } from '../../../pets/dto/new-pet.dto';
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
} from '../../../platform/validation/fields';
import { judge } from '../record-values';
import { InvalidRecord } from '../records.errors';
import { creationReader } from './creation-reader';

const ABOUT = { description: 'One.', example: 1 };
const MAYBE = { ...ABOUT, optional: true };

enum Colour {
  Red = 'red',
  Blue = 'blue',
}

/** A field of every kind, one with a rule besides its own. */
class EveryKind {
  @MaxLength(3)
  @StringField(ABOUT)
  text!: string;

  @StringField(MAYBE)
  maybe?: string;

  @Int64Field(ABOUT)
  int64!: bigint;

  @ReferenceField('/pets', MAYBE)
  petId?: bigint;

  @IntegerField(ABOUT)
  integer!: number;

  @NumberField(MAYBE)
  number?: number;

  @BooleanField(MAYBE)
  boolean?: boolean;

  @DateField(MAYBE)
  date?: string;

  @DateTimeField(MAYBE)
  at?: Date;

  @UuidField(MAYBE)
  uuid?: string;

  @EnumField(Colour, 'Colour', MAYBE)
  colour?: Colour;
}

const VALID: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  text: fc.string({ maxLength: 3 }),
  maybe: fc.string({ unit: 'binary' }),
  int64: fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
  petId: fc.bigInt({ min: 1n, max: 9n }),
  integer: fc.bigInt({ min: -(2n ** 31n), max: 2n ** 31n - 1n }),
  number: fc.oneof(fc.double(), fc.bigInt({ min: -9n, max: 9n })),
  boolean: fc.boolean(),
  date: fc.constantFrom('2026-01-31', '2024-02-29'),
  at: fc.constantFrom('2026-01-31T09:30:00Z', '2026-01-31T09:30:00.123+02:00'),
  uuid: fc.uuid(),
  colour: fc.constantFrom('red', 'blue'),
};

/** What files can hold: any of this may stand in any field. */
const ANYTHING = fc.oneof(
  ...Object.values(VALID),
  fc.constantFrom(undefined, null, '', 'long text', '\0', '\ud800', 1.5, 2n ** 31n, {}, { id: 1n }, []),
  fc.jsonValue(),
);

const objects = fc.record(
  Object.fromEntries(
    Object.entries(VALID).map(([name, valid]) => [
      name,
      fc.oneof({ weight: 20, arbitrary: valid }, ANYTHING),
    ]),
  ),
  { requiredKeys: ['text', 'int64', 'integer'] },
);

function outcome(read: () => object): unknown {
  try {
    const dto = read();
    return { dto: { ...dto }, class: dto.constructor };
  } catch (error) {
    if (error instanceof InvalidRecord) return error.faults;
    throw error;
  }
}

describe('The quick reader of creations', () => {
  it('says of every object what class-validator says', () => {
    const read = creationReader(EveryKind);
    let accepted = 0;
    fc.assert(
      fc.property(objects, (values) => {
        const quick = outcome(() => read({ ...values }));
        expect(quick).toEqual(outcome(() => judge(EveryKind, { ...values })));
        if (!Array.isArray(quick)) accepted++;
      }),
      { numRuns: 3_000 },
    );
    expect(accepted).toBeGreaterThan(100);
  });

  it('leaves no field out and takes no other in', () => {
    const read = creationReader(NewPetDto);
    expect(read({ name: 'Rex', categoryId: 3n, id: 7n })).toEqual({ name: 'Rex', categoryId: 3n });
    expect(() => read({})).toThrow(InvalidRecord);
  });
});
