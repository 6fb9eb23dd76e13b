import { join } from 'node:path';
import { createToken } from '../../src/platform/security/api-key-token';
import { recordFigure } from '../support/samples/figures';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { expectSoundSqlite } from './support/integrity';
import { Load } from './support/load';
import { expectAcknowledged, expectEachOnce } from './support/pets';

/** Pets that each of the two acknowledges before and after one of them is killed. */
const PETS = 150;

describe('Two services on one SQLite file', () => {
  afterEach(() => endServiceProcesses());

  it('lose no acknowledged pet while both write at once and one is killed', async () => {
    const fault = 'two services on one file';
    const key = createToken();
    const cwd = makeFolder();
    const file = join(cwd, 'pets.sqlite');
    const environment = { DATABASE_URL: `sqlite:${file}`, BOOTSTRAP_API_KEY: key };
    const first = await ServiceProcess.start(environment, { cwd });
    const second = await ServiceProcess.start(environment, { cwd });
    const loads = [first, second].map((service) => new Load(service, key)) as [Load, Load];
    for (const load of loads) load.start();
    await Promise.all(loads.map((load) => load.progress(PETS)));
    await first.kill('SIGKILL');
    await loads[1].progress(PETS);
    await loads[0].pause();
    await loads[1].stop();

    for (const { responses, writers } of loads) {
      expect(responses.wrong).toEqual([]);
      await expectAcknowledged(second, key, writers);
      await expectEachOnce(second, key, writers);
    }
    expect(loads[1].withoutResponse).toBe(0);
    await second.kill('SIGTERM');
    expectSoundSqlite(file);

    loads[1].responses.record(fault);
    const acknowledged = loads.map(({ writers }) => writers.acknowledged.size);
    recordFigure(fault, 'pets acknowledged and checked', acknowledged.join(' and '));
  });
});
