import { recordFigure } from '../support/samples/figures';
import { violationsOf } from './support/checker';
import { plant, PLANTED_FAULTS } from './support/planted-faults';
import { historyIn, startPostgresWorld, startSqliteWorld, type World } from './support/world';

/** Operations of a run, and the runs, of a seed each, in which a fault may show itself. */
const OPERATIONS = 2_000;
const RUNS = 4;

/** Far more than a run takes on a busy machine, in milliseconds. */
const RUN_MS = 240_000;

describe('The judgement of histories', () => {
  const worlds: World[] = [];

  beforeAll(async () => {
    worlds.push(await startPostgresWorld(), startSqliteWorld());
  }, 120_000);
  afterAll(async () => {
    for (const world of worlds) await world.end();
  });

  it.each(PLANTED_FAULTS.map((fault) => [fault.name, fault] as const))(
    'finds %s',
    async (name, fault) => {
      const project = plant(fault);
      const world = worlds.find(({ engine }) => engine === fault.engine) as World;
      let violations: string[] = [];
      for (let seed = 1; violations.length === 0 && seed <= RUNS; seed++) {
        violations = violationsOf((await historyIn(world, seed, OPERATIONS, project)).history);
        recordFigure(name, `found by seed ${seed}`, violations[0] ?? 'nothing');
      }
      expect(violations).not.toEqual([]);
    },
    RUNS * RUN_MS,
  );
});
