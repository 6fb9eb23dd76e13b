import { recordFigure } from '../support/samples/figures';
import { violationsOf } from './support/checker';
import { startFailoverWorld } from './support/failover-world';
import { plant, PLANTED_FAULTS } from './support/planted-faults';
import { startPostgresWorld } from './support/postgres-world';
import { startSqliteWorld } from './support/sqlite-world';
import { historyIn, type World } from './support/world';

/** Operations of a run, and the runs, of a seed each, in which a fault may show itself. */
const OPERATIONS = 2_000;
const RUNS = 4;

/** Far more than a run takes on a busy machine, in milliseconds. */
const RUN_MS = 600_000;

describe.each([
  ['sqlite', startSqliteWorld],
  ['postgres', startPostgresWorld],
  ['failover', startFailoverWorld],
] as const)('The judgement of histories (%s)', (kind, start) => {
  const faults = PLANTED_FAULTS.filter((fault) => fault.world === kind);
  let world: World;

  beforeAll(async () => {
    world = await start();
  });
  afterAll(() => world.end());

  it.each(faults.map((fault) => [fault.name, fault] as const))(
    'finds %s',
    async (name, fault) => {
      const project = plant(fault);
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
