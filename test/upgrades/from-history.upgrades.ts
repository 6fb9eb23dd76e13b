import { join } from 'node:path';
import { createToken } from '../../src/platform/security/api-key-token';
import { packageVersion } from '../../src/platform/config/package-version';
import { recordFigure } from '../support/samples/figures';
import { createTestDatabase } from '../support/databases/databases';
import { makeFolder } from '../support/folders';
import { endServiceProcesses, ServiceProcess } from '../support/processes/service-process';
import { buildReleaseBefore, RELEASE_BEFORE } from './support/release-before';
import { cli, rollOut } from './support/rollout';

jest.setTimeout(600_000);

const PROJECT = join(__dirname, '..', '..');

/** The folder of the release before, and this one. */
let releases: readonly [before: string, present: string];

beforeAll(async () => {
  releases = [await buildReleaseBefore(), PROJECT];
});
afterEach(() => endServiceProcesses());

const [from, to] = [RELEASE_BEFORE.version, packageVersion()];

describe(`An upgrade from ${from}, as the history has it, to ${to}`, () => {
  it('leads to another version', async () => {
    const [before, present] = await Promise.all(
      releases.map((release) => cli(release, 'sqlite::memory:', '--version')),
    );
    expect(before).toBe(`${from}\n`);
    expect(present?.split(/\s/)[0]).toBe(to);
    expect(to).not.toBe(from);
  });

  it('fails no request under load, node by node: forward, back, and forward again', async () => {
    const forward = [
      [0, 1],
      [1, 1],
    ] as const;
    const back = [
      [0, 0],
      [1, 0],
    ] as const;
    const rollout = { before: [0, 0], replacements: [...forward, ...back, ...forward] };
    const { load, stored, replaced } = await rollOut(rollout, releases);
    expect(load.failures).toEqual(new Map());
    expect(stored).toEqual(new Map([...load.acknowledged].map((pet) => [pet, 1])));
    recordFigure(`upgrade from ${from}`, 'nodes replaced, forward, back and forward', replaced);
    recordFigure(`upgrade from ${from}`, 'under load meanwhile', load.summary());
  });

  it('keeps a bulk change of either release whole for the other', async () => {
    const database = await createTestDatabase('postgres');
    const run = (release: 0 | 1, ...words: string[]) => cli(releases[release], database.url, ...words);
    const json = async <T>(release: 0 | 1, ...words: string[]) =>
      JSON.parse(await run(release, ...words, '--json')) as T;
    const sell = (release: 0 | 1) =>
      json<{ changed: number; change: number }>(
        release,
        ...['pets', 'update-all', '--set-status', 'sold', '--yes'],
      );
    const undo = async (release: 0 | 1, change: number) =>
      (await json<{ undone: number }>(release, 'pets', 'undo', String(change))).undone;
    const entries = async (release: 0 | 1) =>
      (await json<{ items: { action: string }[] }>(release, 'audit', 'list', '--subject', 'pets')).items;
    try {
      await run(0, 'db', 'migrate');
      await run(0, 'seed', '--count', '400');
      const old = await sell(0);
      expect(old.changed).toBeGreaterThan(200);
      await run(1, 'db', 'migrate');
      expect(await undo(1, old.change)).toBe(old.changed);
      const present = await sell(1);
      expect(present.changed).toBe(old.changed);
      const whole = Array(3).fill('pets.update_all');
      for (const release of [0, 1] as const) {
        expect((await entries(release)).map(({ action }) => action)).toEqual(whole);
      }
      expect(await undo(0, present.change)).toBe(present.changed);
    } finally {
      await database.drop();
    }
  });

  it('keeps pets and keys of a SQLite file', async () => {
    const cwd = makeFolder();
    const key = createToken();
    const environment = { BOOTSTRAP_API_KEY: key };
    const old = await ServiceProcess.start(environment, { cwd, project: releases[0] });
    const added = await old.post('/v1/pets', key, '{"name":"Rex","categoryId":3}');
    expect(added.status).toBe(201);
    const rex = (await added.json()) as object;
    expect(await old.kill('SIGTERM')).toEqual({ code: 0, signal: null });

    const next = await ServiceProcess.start(environment, { cwd, project: releases[1] });
    expect(await (await next.fetch('/v1/pets', key)).json()).toEqual([rex]);
  });
});
