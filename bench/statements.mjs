/**
 * What a row costs by a statement that is compiled once, by an injected repository of TypeORM's, and by TypeORM without the service:
 * processor time of this process, in alternating rounds, with 32 callers, on SQLite and on PostgreSQL.
 *
 *   npm run -s build && npm exec -- node bench/statements.mjs
 */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { PostgresDatabases } from './lib/postgres-databases.mjs';
import { median } from './lib/statistics.mjs';

const require = createRequire(import.meta.url);
require('reflect-metadata');
const { DataSource } = require('typeorm');
const { commandGroups, createCli } = require('../dist/src/create-cli.js');
const { runProgram } = require('../dist/src/platform/cli/program.js');
const { Output } = require('../dist/src/platform/cli/output.js');
const { Pet } = require('../dist/src/pets/pet.entity.js');
const { PetsRepository } = require('../dist/src/pets/pets.repository.js');

const ROUNDS = 15;
const READS = 4_000;
const CALLERS = 32;
const PETS = 100;

const ROOT = join(import.meta.dirname, '..');
const cli = createCli(new Output(process.stdout, process.stderr));

/** Processor time of one of many reads, in microseconds. */
async function cost(read) {
  const before = process.cpuUsage();
  let left = READS;
  const caller = async () => {
    while (left-- > 0) await read(BigInt((left % PETS) + 1));
  };
  await Promise.all(Array.from({ length: CALLERS }, caller));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / READS;
}

/** Measures on an empty database. */
async function measure(engine, url) {
  process.env.DATABASE_URL = url;
  await runProgram(await commandGroups(['db']), cli, ['db', 'migrate']);
  await cli.withApp(async (app) => {
    const pets = app.get(PetsRepository, { strict: false });
    const repository = app.get(DataSource, { strict: false }).getRepository(Pet);
    const rows = Array.from({ length: PETS }, (_, i) => ({
      name: `Pet ${i}`,
      categoryId: 7n,
      status: 'sold',
    }));
    await repository.insert(rows);
    const { options } = repository.manager.dataSource;
    const alone = await new DataSource({ ...options, entities: [Pet], migrations: [] }).initialize();
    const stock = alone.getRepository(Pet);
    const page = { order: { id: 'ASC' }, take: 21 };
    const works = {
      'a row': [
        (id) => pets.findOne(id),
        (id) => repository.findOneBy({ id }),
        (id) => stock.findOneBy({ id }),
      ],
      'a page of 20': [
        () => pets.findPage({ limit: 20 }),
        () => repository.find(page),
        () => stock.find(page),
      ],
    };
    for (const [work, ways] of Object.entries(works)) {
      const rounds = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const costs = [];
        // Each begins as often as the others.
        for (let turn = 0; turn < ways.length; turn++) {
          const way = (turn + round) % ways.length;
          costs[way] = await cost(ways[way]);
        }
        // The first round warms up.
        if (round > 0) rounds.push(costs);
      }
      const [compiled, injected, by] = ways.map((_, way) =>
        median(rounds.map((costs) => costs[way])).toFixed(1),
      );
      const ratio = (one, other) => median(rounds.map((costs) => costs[one] / costs[other]));
      console.log(
        `${engine}, ${work}: compiled once ${compiled} µs, injected repository ${injected} µs (${ratio(1, 0).toFixed(1)} times), TypeORM by itself ${by} µs; injected/by itself ${ratio(1, 2).toFixed(3)}`,
      );
    }
    await alone.destroy();
  });
}

mkdirSync(join(ROOT, 'data'), { recursive: true });
const folder = mkdtempSync(join(ROOT, 'data', 'statements-'));
try {
  await measure('SQLite', `sqlite:${join(folder, 'petstore.sqlite')}`);
  const databases = await PostgresDatabases.open(undefined, ROOT, folder);
  try {
    await measure('PostgreSQL', await databases.urlOf('statements'));
  } finally {
    await databases.close();
  }
} finally {
  rmSync(folder, { recursive: true });
}
