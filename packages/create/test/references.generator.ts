import { readFields } from '../src/feature/fields.ts';
import { readFeatureName } from '../src/feature/names.ts';
import { linkFields } from '../src/feature/references.ts';
import { parse } from '../src/text/sources.ts';

const SOURCES = [
  parse(
    'src/pets/pet.entity.ts',
    `@Entity('pets') export class Pet { @GeneratedInt64Key('pk_pets') id!: bigint; }`,
  ),
  parse(
    'src/pets/pets.service.ts',
    `@Entity('traps') class Trap { @GeneratedInt64Key('pk_traps') id!: bigint; }`,
  ),
  parse(
    'src/stock/item.entity.ts',
    `@Entity({ name: 'things' }) class Item { @GeneratedInt64Key('pk') id!: bigint; }`,
  ),
  parse('src/keys/key.entity.ts', `@Entity('keys') class Key { @PrimaryColumn() id!: string; }`),
  parse('src/plain/plain.entity.ts', `class Plain { @GeneratedInt64Key('pk_plain') id!: bigint; }`),
  parse(
    'src/twins/one.entity.ts',
    `@Entity('ones') class One { @GeneratedInt64Key('pk_ones') id!: bigint; }`,
  ),
  parse(
    'src/twins/two.entity.ts',
    `@Entity('twos') class Two { @GeneratedInt64Key('pk_twos') id!: bigint; }`,
  ),
];

function reference(field: string, feature = 'orders') {
  const names = readFeatureName(feature);
  return linkFields(readFields(field, names), names, SOURCES)[0]?.reference;
}

describe('A reference to another feature', () => {
  it.each(['pets', 'pet', 'Pet'])('finds the entity of the feature %s', (target) => {
    expect(reference(`petId:ref(${target})`)).toEqual({
      folder: 'pets',
      entity: 'Pet',
      table: 'pets',
      isOwn: false,
    });
  });

  it('finds an entity in a folder with another name', () => {
    expect(reference('itemId:ref(stock)')).toEqual({
      folder: 'stock',
      entity: 'Item',
      table: 'things',
      isOwn: false,
    });
  });

  it.each(['categories', 'category'])('may refer to its own feature, named %s', (target) => {
    expect(reference(`parentId:ref(${target})?`, 'categories')).toEqual({
      folder: 'categories',
      entity: 'Category',
      table: 'categories',
      isOwn: true,
    });
  });

  it('is not created for other fields', () => {
    expect(reference('note:string')).toBeUndefined();
  });

  it.each(['orders', 'keys', 'plain', 'traps', '../pets', 'platform', 'p.ts'])(
    'cannot refer to %s',
    (target) => {
      expect(() => reference(`x:ref(${target})`, 'visits')).toThrow(
        `The field x refers to ${target}, but no feature of that name has an entity with a @GeneratedInt64Key.`,
      );
    },
  );

  it('cannot refer to a folder with several entities', () => {
    expect(() => reference('x:ref(twins)')).toThrow(
      'The field x refers to twins, which could be One or Two.',
    );
  });

  it('cannot be required when it refers to its own feature', () => {
    expect(() => reference('parentId:ref(category)', 'categories')).toThrow(
      'The field parentId refers to categories themselves and must be optional: otherwise the first could not be added.',
    );
  });
});
