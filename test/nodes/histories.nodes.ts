import { startPostgresWorld } from '../histories/support/postgres-world';
import { judgeRounds } from '../histories/support/rounds';
import { startSqliteWorld } from '../histories/support/sqlite-world';
import type { World } from '../histories/support/world';

/** Operations of each run, and the seed from which clients and faults draw what they do. */
const OPERATIONS = Number(process.env.HISTORY_OPERATIONS ?? 1_000);
const SEED = Number(process.env.HISTORY_SEED ?? Date.now() % 2 ** 31);

/** Far more than an operation takes on a busy machine, in milliseconds. */
const OPERATION_MS = 50;

describe.each([
  ['three nodes with two replicas', startPostgresWorld],
  ['one node on SQLite', startSqliteWorld],
])(`What clients of %s see (seed ${SEED})`, (title, start) => {
  let world: World;

  beforeAll(async () => {
    world = await start();
  });
  afterAll(() => world.end());

  it(
    'is explained by one order of all that they did, through kills, cuts, delays, repetitions, late and promoted replicas, and clocks that jump',
    async () => {
      expect(await judgeRounds(world, title, SEED, OPERATIONS)).toEqual({ violations: [], unexpected: [] });
    },
    OPERATIONS * OPERATION_MS + 200_000,
  );
});
