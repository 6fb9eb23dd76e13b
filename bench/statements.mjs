/**
 * What a row costs by a statement that is compiled once, against TypeORM's own repository: processor time of this process, in
 * alternating rounds, with 32 callers, on SQLite and on PostgreSQL.
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
const { ProcessOutput } = require('../dist/src/platform/cli/process-output.js');
const { Pet } = require('../dist/src/pets/pet.entity.js');
const { PetsRepository } = require('../dist/src/pets/pets.repository.js');

const ROUNDS = 9;
const READS = 4_000;
const CALLERS = 32;
const PETS = 100;

const ROOT = join(import.meta.dirname, '..');
const cli = createCli(new ProcessOutput(process.stdout, process.stderr));

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
  await runProgram(await commandGroups('db'), cli, ['db', 'migrate']);
  await cli.withApp(async (app) => {
    const pets = app.get(PetsRepository, { strict: false });
    const repository = app.get(DataSource, { strict: false }).getRepository(Pet);
    const rows = Array.from({ length: PETS }, (_, i) => ({
      name: `Pet ${i}`,
      categoryId: 7n,
      status: 'sold',
    }));
    await repository.insert(rows);
    const works = {
      'a row': [(id) => pets.findOne(id), (id) => repository.findOneBy({ id })],
      'a page of 20': [
        () => pets.findPage({ limit: 20 }),
        () => repository.find({ order: { id: 'ASC' }, take: 21 }),
      ],
    };
    for (const [work, [compiled, typeorm]] of Object.entries(works)) {
      const found = [];
      for (let round = 0; round <= ROUNDS; round++) {
        const pair = [await cost(compiled), await cost(typeorm)];
        // The first round warms up.
        if (round > 0) found.push(pair);
      }
      const [a, b] = [0, 1].map((side) => median(found.map((pair) => pair[side])).toFixed(1));
      const ratio = median(found.map(([one, other]) => other / one)).toFixed(1);
      console.log(`${engine}, ${work}: compiled once ${a} µs, TypeORM's repository ${b} µs, ratio ${ratio}`);
    }
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
