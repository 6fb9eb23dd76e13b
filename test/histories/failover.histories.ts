import { startFailoverWorld } from './support/failover-world';
import { judgeRounds } from './support/rounds';
import type { World } from './support/world';

/** See histories.nodes.ts. */
const OPERATIONS = Number(process.env.HISTORY_OPERATIONS ?? 5_000);
const SEED = Number(process.env.HISTORY_SEED ?? Date.now() % 2 ** 31);

/** Far more than an operation takes on a busy machine, with its share of failovers, in milliseconds. */
const OPERATION_MS = 500;

describe(`What clients of three nodes see when the primary of three servers is replaced (seed ${SEED})`, () => {
  let world: World;

  beforeAll(async () => {
    world = await startFailoverWorld();
  });
  afterAll(() => world.end());

  it(
    'is explained by one order of all that they did',
    async () => {
      const judgement = await judgeRounds(world, 'three nodes through failovers', SEED, OPERATIONS);
      expect(judgement).toEqual({ violations: [], unexpected: [] });
    },
    OPERATIONS * OPERATION_MS + 600_000,
  );
});
