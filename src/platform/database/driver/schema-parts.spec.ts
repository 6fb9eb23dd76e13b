import { Entity, type MigrationInterface } from 'typeorm';
import { GeneratedInt64Key } from '../column-types';
import { createDataSource } from './data-source';
import { databaseSettings } from '../../../../test/support/databases/sample-database';

@Entity({ name: 'points' })
class Points {
  @GeneratedInt64Key('pk_points')
  id!: bigint;
}

@Entity({ name: 'points' })
class OtherPoints extends Points {}

@Entity({ name: 'pets' })
class OtherPet extends Points {}

function migration(name: string): Function {
  const Migration = class implements MigrationInterface {
    up = () => Promise.resolve();
    down = () => Promise.resolve();
  };
  return Object.defineProperty(Migration, 'name', { value: name });
}

const nothing = { entities: [], migrations: [] };
const open = (...parts: { owner: string; entities?: Function[]; migrations?: Function[] }[]) =>
  createDataSource(
    databaseSettings('sqlite::memory:'),
    parts.map((part) => ({ ...nothing, ...part })),
  );

describe('Entities and migrations of features', () => {
  it('are registered once beside those of the service', () => {
    const part = { owner: 'A', entities: [Points], migrations: [migration('CreatePoints1600000000000')] };
    const { entities, migrations } = open(part, { ...part, owner: 'B' }).options;
    expect(entities).toContain(Points);
    expect(migrations).toContain(part.migrations[0]);
    expect(Object(migrations)).toHaveLength((open().options.migrations?.length as number) + 1);
  });

  it.each([
    [
      'a table of another feature',
      [
        { owner: 'A', entities: [Points] },
        { owner: 'B', entities: [OtherPoints] },
      ],
      'A and B both have a table "points": rename one of the two.',
    ],
    [
      'a table of the service',
      [{ owner: 'A', entities: [OtherPet] }],
      'The service and A both have a table "pets": rename one of the two.',
    ],
    [
      'the name of a migration of the service',
      [{ owner: 'A', migrations: [migration('CreateSchema1763700044000')] }],
      'The service and A both have a migration CreateSchema1763700044000: rename one of the two.',
    ],
    [
      'the time of a migration of another feature',
      [
        { owner: 'A', migrations: [migration('CreatePoints1600000000000')] },
        { owner: 'B', migrations: [migration('CreateGifts1600000000000')] },
      ],
      'A and B both have a migration of the time 1600000000000: rename one of the two.',
    ],
  ])('are refused when they have %s', (_what, parts, sentence) => {
    expect(() => open(...parts)).toThrow(new Error(sentence));
  });
});
