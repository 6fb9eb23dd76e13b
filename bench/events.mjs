/**
 * Stored events that a process delivers in a second to a handler that does nothing, in alternating rounds, on SQLite and on
 * PostgreSQL: of one subject, of many, and of none. Folders with other builds are measured beside this one.
 *
 *   npm run -s build && npm exec -- node bench/events.mjs [folder...]
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { PostgresDatabases } from './lib/postgres-databases.mjs';
import { median } from './lib/statistics.mjs';

const ROOT = join(import.meta.dirname, '..');
const ROUNDS = 5;
const EVENTS = 600;
/** Events of one transaction. */
const BATCH = 50;

/** Subject of each event. */
const LOADS = {
  'one subject': () => 'toys/1',
  '20 subjects': (index) => `toys/${index % 20}`,
  '200 subjects': (index) => `toys/${index % 200}`,
  'no subject': () => undefined,
};

/** Events that the build in a folder delivers in a second. */
async function rateOf(build, databaseUrl, load) {
  const require = createRequire(resolve(build, 'src/main.js'));
  require('reflect-metadata');
  const { Module } = require('@nestjs/common');
  const { NestFactory } = require('@nestjs/core');
  const { AppModule } = require('./app.module.js');
  const { loadSettings } = require('./platform/config/load-settings.js');
  const { Database } = require('./platform/database/database.js');
  const { openDatabase } = require('./platform/database/driver/open.js');
  const { EventDeliverer } = require('./platform/events/event-deliverer.service.js');
  const { Events } = require('./platform/events/events.js');
  const { OnEvent } = require('./platform/events/on-event.decorator.js');
  const { createLogger } = require('./platform/logging/logger.js');

  class ToyMoved {}
  class Ledger {
    enter() {
      left -= 1;
      if (left === 0) heard();
    }
  }
  const method = Object.getOwnPropertyDescriptor(Ledger.prototype, 'enter');
  OnEvent(ToyMoved, { delivery: 'durable' })(Ledger.prototype, 'enter', method);
  class LedgerModule {}
  Module({ providers: [Ledger] })(LedgerModule);

  let left = EVENTS;
  const { promise: allHeard, resolve: heard } = Promise.withResolvers();
  const settings = loadSettings({ DATABASE_URL: databaseUrl });
  const dataSource = await openDatabase(settings);
  const logger = createLogger('warn');
  const modules = AppModule.forRoot({ settings, logger, dataSource }, { LedgerModule });
  const app = await NestFactory.createApplicationContext(modules, { logger: false });
  const events = app.get(Events);
  const publish = (first) => {
    for (let index = first; index < first + BATCH; index++) {
      events.publish(Object.assign(new ToyMoved(), { number: index, subject: LOADS[load](index) }));
    }
    return Promise.resolve();
  };
  for (let first = 0; first < EVENTS; first += BATCH) {
    await app.get(Database).transaction(() => publish(first));
  }
  await pause(500);
  const begun = performance.now();
  const cpu = process.cpuUsage();
  app.get(EventDeliverer).begin();
  await allHeard;
  const seconds = (performance.now() - begun) / 1_000;
  const { user, system } = process.cpuUsage(cpu);
  await app.close();
  return { rate: EVENTS / seconds, cpu: (user + system) / EVENTS };
}

/** Measures in a process of its own. */
function measure(build, databaseUrl, load) {
  const words = [import.meta.filename, '--one', build, databaseUrl, load];
  return JSON.parse(execFileSync(process.execPath, words, { encoding: 'utf8' }));
}

async function compare(engine, builds, urlOf) {
  for (const load of Object.keys(LOADS)) {
    const rounds = builds.map(() => []);
    for (let round = 0; round < ROUNDS; round++) {
      for (let turn = 0; turn < builds.length; turn++) {
        const index = (turn + round) % builds.length;
        rounds[index].push(measure(builds[index], await urlOf(builds[index]), load));
      }
    }
    builds.forEach((build, index) => {
      const [rate, cpu] = ['rate', 'cpu'].map((name) => median(rounds[index].map((one) => one[name])));
      console.log(
        `${engine}, ${load}, ${build}: ${rate.toFixed(0)} a second, ${cpu.toFixed(0)} µs of processor time each`,
      );
    });
  }
}

/** Makes the tables of a build in an empty database. */
function migrate(build, databaseUrl) {
  const env = { ...process.env, DATABASE_URL: databaseUrl };
  execFileSync(process.execPath, [resolve(build, 'src/cli.js'), 'db', 'migrate'], { env, stdio: 'ignore' });
  return databaseUrl;
}

async function main(builds) {
  mkdirSync(join(ROOT, 'data'), { recursive: true });
  const folder = mkdtempSync(join(ROOT, 'data', 'events-'));
  let files = 0;
  try {
    await compare('SQLite', builds, (build) => migrate(build, `sqlite:${join(folder, `${files++}.sqlite`)}`));
    const databases = await PostgresDatabases.open(undefined, ROOT, folder);
    try {
      await compare('PostgreSQL', builds, async (build) =>
        migrate(build, await databases.urlOf(`${files++}`)),
      );
    } finally {
      await databases.close();
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const words = process.argv.slice(2);
if (words[0] === '--one') {
  process.stdout.write(JSON.stringify(await rateOf(...words.slice(1))));
} else {
  await main([join(ROOT, 'dist'), ...words.map((folder) => resolve(folder))]);
}
