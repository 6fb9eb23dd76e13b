import { migrationTime } from '../../schematics/text/migration-time';

const FOLDER = 'src/migrations';
const NOW = 1_800_000_000_000;

describe('the time of a migration', () => {
  it('is the present when no migration is later', () => {
    expect(migrationTime([`${FOLDER}/1763700001000-create-pets.ts`], 'orders', NOW)).toBe(NOW);
    expect(migrationTime([], 'orders', NOW)).toBe(NOW);
  });

  it('is after that of every other migration, even of one from the future', () => {
    const paths = [`${FOLDER}/1900000000000-create-pets.ts`, `${FOLDER}/1763700000000-create-keys.ts`];
    expect(migrationTime(paths, 'orders', NOW)).toBe(1_900_000_000_001);
  });

  it('stays what it is once the migration is there', () => {
    const paths = [`${FOLDER}/1763700002000-create-orders.ts`, `${FOLDER}/1900000000000-create-pets.ts`];
    expect(migrationTime(paths, 'orders', NOW)).toBe(1_763_700_002_000);
  });

  it('does not come from files that are no migrations, nor from those of others', () => {
    const paths = [`${FOLDER}/notes.ts`, `${FOLDER}/1763700002000-create-old-orders.ts`];
    expect(migrationTime(paths, 'orders', NOW)).toBe(NOW);
  });
});
