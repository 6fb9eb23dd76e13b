import { migrationTime } from '../src/text/migration-time.ts';

const FOLDER = 'src/migrations';
const NOW = 1_800_000_000_000;

describe('The time of a migration', () => {
  it('is the present when no migration is later', () => {
    expect(migrationTime([`${FOLDER}/1763700001000-create-pets.ts`], 'orders', NOW)).toBe(NOW);
    expect(migrationTime([], 'orders', NOW)).toBe(NOW);
  });

  it('is after that of every other migration, even one in the future', () => {
    const paths = [`${FOLDER}/1900000000000-create-pets.ts`, `${FOLDER}/1763700000000-create-keys.ts`];
    expect(migrationTime(paths, 'orders', NOW)).toBe(1_900_000_000_001);
  });

  it('stays the same once the migration exists', () => {
    const paths = [`${FOLDER}/1763700002000-create-orders.ts`, `${FOLDER}/1900000000000-create-pets.ts`];
    expect(migrationTime(paths, 'orders', NOW)).toBe(1_763_700_002_000);
  });

  it('ignores files that are no migrations of the service', () => {
    const paths = [`${FOLDER}/notes.ts`, `${FOLDER}/1763700002000-create-old-orders.ts`];
    expect(migrationTime(paths, 'orders', NOW)).toBe(NOW);
  });
});
