import { readFields } from '../src/feature/fields.ts';
import { readFeatureName } from '../src/feature/names.ts';
import { linkFields } from '../src/feature/references.ts';
import { parse } from '../src/text/sources.ts';
import { refuseEnumsNamedAsParts, refuseLongSqlNames, refuseTakenNames } from '../src/feature/taken.ts';

/** What the service has. */
const THERE = parse(
  'src/pets/pets.ts',
  `
  @Entity('pets')
  @Index('idx_pets_status_id', ['status', 'id'])
  export class Pet {}
  @Entity({ name: 'pet_owners' })
  class Inner {}
  @Controller('animals')
  class Routes { @PageResponse(PetDto, 'Pets', 'One page of animals.') list() {} }
  @Controller({ path: 'owners', version: '1' })
  class OwnerRoutes {}
  @ApiSchema({ name: 'NewPet', description: 'An animal to add.' })
  class Body { @EnumField(PetState, 'PetStatus', { example: 'Rex' }) status: string }
  export const PetNotFoundError = defineError({ code: 'pet_not_found', status: 404 });
  export type PetFilter = object;
  const table = new Table({ name: 'old_pets' });
  `,
);

describe('A name that is in use', () => {
  it.each([
    ['name', 'Pet', 'export interface Pet {}'],
    ['name', 'PetFilter', 'export enum PetFilter {}'],
    ['name', 'PetNotFoundError', 'export function PetNotFoundError() {}'],
    ['name', 'NewPet', 'export class NewPet {}'],
    ['name', 'Pets', 'export class Pets {}'],
    ['name', 'PetStatus', '@ApiSchema({ name: "PetStatus" }) class A {}'],
    ['table', 'pets', '@Entity("pets") class A {}'],
    ['table', 'pet_owners', 'new Table({ name: "pet_owners" });'],
    ['table', 'old_pets', '@Entity({ name: "old_pets" }) class A {}'],
    ['path', 'animals', '@Controller("animals") class A {}'],
    ['path', 'owners', '@Controller("owners") class A {}'],
    ['error code', 'pet_not_found', 'defineError({ code: "pet_not_found" });'],
    ['constraint', 'idx_pets_status_id', '@Index("idx_pets_status_id", ["a"]) class A {}'],
  ])('is refused: the %s %s', (kind, text, file) => {
    expect(() => refuseTakenNames([parse('src/a/a.ts', file)], [THERE])).toThrow(
      `The ${kind} ${text} is taken: src/pets/pets.ts has it.`,
    );
  });

  it.each([
    ['what is not exported', 'class Pet {} enum PetFilter {}'],
    ['an example', '@ApiSchema({ name: "Rex" }) class A {}'],
    ['a description', 'export class One {}'],
    ['the same text as something else', '@Entity("animals") @Controller("pets") class A {}'],
    ['another name', 'export class Order {} @Entity("orders") class A {}'],
  ])('is not found in %s', (_title, file) => {
    expect(() => refuseTakenNames([parse('src/a/a.ts', file)], [THERE])).not.toThrow();
  });

  it('is not that of a class of src/admin, but that of its table', () => {
    const admin = parse('src/admin/console/visit.ts', "@Entity('visits') export class Visit {}");
    const refuse = (file: string) => () => refuseTakenNames([parse('src/a/a.ts', file)], [admin]);
    expect(refuse('export class Visit {}')).not.toThrow();
    expect(refuse("@Entity('visits') class A {}")).toThrow('The table visits is taken');
  });
});

describe('A generated enum', () => {
  const orders = readFeatureName('orders');
  const fields = linkFields(readFields('update:enum(a)', orders), orders, []);
  const own = parse('src/orders/order-update.ts', 'export enum OrderUpdate {}');

  it('cannot have the name of a schema of the same feature', () => {
    const dto = parse('src/orders/dto/order-update.dto.ts', '@ApiSchema({ name: "OrderUpdate" }) class A {}');
    expect(() => refuseEnumsNamedAsParts([own, dto], fields)).toThrow(
      'The enum of the field update would be called OrderUpdate, a name that src/orders/dto/order-update.dto.ts already uses.',
    );
  });

  it('may be named where it is used', () => {
    const dto = parse(
      'src/orders/dto/new-order.dto.ts',
      'class A { @EnumField(OrderUpdate, "OrderUpdate") update: OrderUpdate }',
    );
    expect(() => refuseEnumsNamedAsParts([own, dto], fields)).not.toThrow();
  });
});

describe('A name in SQL', () => {
  const name = (length: number) => 'x'.repeat(length);

  it.each(['src/a/a.entity.ts', 'src/migrations/1-a.ts'])('has at most 63 characters in %s', (path) => {
    expect(() => refuseLongSqlNames([parse(path, `'${name(63)}'`)])).not.toThrow();
    expect(() => refuseLongSqlNames([parse(path, `'${name(64)}'`)])).toThrow(
      `The name ${name(64)} would have 64 characters, and PostgreSQL keeps 63`,
    );
  });

  it('is searched in SQL only, and not in texts', () => {
    const files = [
      parse('src/a/a.service.ts', `'${name(64)}'`),
      parse('src/a/a.entity.ts', `'a text ${name(64)}'`),
    ];
    expect(() => refuseLongSqlNames(files)).not.toThrow();
  });
});
