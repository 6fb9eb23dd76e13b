/**
 * How long the page of Swagger UI takes in Chromium with the 250 operations of 50 generated modules, beside the page with those
 * of pets alone: until the first operations are painted, to open one, and to filter by a tag.
 * Figures go to stdout, progress to stderr. It needs a build, and /usr/bin/chromium or the one that CHROMIUM names.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { makeApiKey } from './lib/api-key.mjs';
import { observeFirstOperations, timeFilter, timeOpening } from './lib/docs-timings.mjs';
import { serviceKind } from './lib/kinds.mjs';
import { ratio, spread, table } from './lib/report-tables.mjs';
import { startServer } from './lib/server.mjs';
import { summarize } from './lib/statistics.mjs';

const ROOT = join(import.meta.dirname, '..');
const MODULES = 50;
const ROUNDS = 7;

/** As many as an order has, one of each kind that a document describes at length. */
const FIELDS =
  'petId:ref(pets) quantity:integer(min=1) shipDate:date-time? status:enum(placed|approved|delivered)? note:string(max=200)?';

/** What a checkout does not have. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist', 'data', 'coverage', '.env']);

const progress = (text) => process.stderr.write(`${text}\n`);

/** The document of a copy of the project with one generated module, called toys. */
function generateDocument(folder) {
  for (const name of readdirSync(ROOT).filter((entry) => !LEFT_OUT.has(entry))) {
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  }
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const run = (command, ...words) =>
    execFileSync(command, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
  progress('generate a module');
  run(process.execPath, 'packages/create/src/generate.ts', 'feature', 'toys', '--fields', FIELDS);
  progress('build it');
  run('npm', 'run', '-s', 'build');
  run(process.execPath, 'dist/src/process/openapi-document.js');
  return JSON.parse(readFileSync(join(folder, 'docs', 'openapi.json'), 'utf8'));
}

/** The document with more modules like that one, each under a name of its own. */
function manyModules({ paths, components, tags, ...document }) {
  const part = JSON.stringify({
    paths: ofToys(paths),
    schemas: ofToys(components.schemas),
    tags: tags.filter(({ name }) => name === 'toys'),
  });
  const parts = Array.from({ length: MODULES - 1 }, (_, number) =>
    JSON.parse(part.replaceAll(/toys?/gi, `$&${number}`)),
  );
  return {
    ...document,
    paths: Object.assign({ ...paths }, ...parts.map((one) => one.paths)),
    components: {
      ...components,
      schemas: Object.assign({ ...components.schemas }, ...parts.map((one) => one.schemas)),
    },
    tags: [...tags, ...parts.flatMap((one) => one.tags)],
  };
}

function ofToys(members) {
  return Object.fromEntries(Object.entries(members).filter(([name]) => /toy/i.test(name)));
}

/** One visit with an empty cache; gives milliseconds of the clock, and of processor time of the page's main thread. */
async function visit(browser, url, document) {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 } });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000);
  await page.route('**/docs/openapi.json', (route) =>
    route.fulfill({ body: document, contentType: 'application/json' }),
  );
  await page.addInitScript(observeFirstOperations);
  const session = await context.newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const worked = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    return metrics.find(({ name }) => name === 'TaskDuration').value * 1_000;
  };
  const measure = async (step) => {
    const before = await worked();
    const clock = await step();
    return { clock, thread: (await worked()) - before };
  };
  const first = await measure(async () => {
    await page.goto(`${url}/docs`);
    return page.evaluate(() => globalThis.firstOperations);
  });
  const opening = await measure(() => page.evaluate(timeOpening));
  const filter = await measure(() => page.evaluate(timeFilter, `toys${MODULES - 2}`));
  await context.close();
  return { first, opening, filter };
}

function operationCount({ paths }) {
  return Object.values(paths).flatMap((path) => Object.keys(path)).length;
}

const STEPS = {
  first: 'from the address to the first operations painted',
  opening: 'from a click to the open operation painted',
  filter: 'from a word in the filter to its operations painted',
};

/** The modules' figures beside those of pets alone, which have nothing to filter. */
function report(counts, [pets, modules]) {
  const row = (step, kind, title) => {
    const [few, many] = [pets, modules].map((figures) => summarize(figures.map((one) => one[step][kind])));
    if (step === 'filter') return [title, '', spread(many), ''];
    return [title, spread(few), spread(many), ratio(many, few)];
  };
  const text = table(
    ['milliseconds', ...counts.map((count) => `${count} operations`), 'ratio'],
    Object.entries(STEPS).flatMap(([step, title]) => [
      row(step, 'clock', title),
      row(step, 'thread', 'processor time of the page in it'),
    ]),
  );
  process.stdout.write(`${text}\n`);
}

async function main() {
  const folder = mkdtempSync(join(tmpdir(), 'petstore-docs-'));
  let server;
  let browser;
  try {
    const generated = generateDocument(folder);
    const pets = JSON.parse(readFileSync(join(ROOT, 'docs', 'openapi.json'), 'utf8'));
    const documents = [pets, manyModules(generated)];
    const database = `sqlite:${join(folder, 'docs.sqlite')}`;
    server = await startServer(serviceKind(ROOT), database, makeApiKey(), join(folder, 'docs.log'));
    browser = await chromium.launch({
      executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
      args: ['--no-sandbox', '--disable-gpu'],
    });
    const figures = documents.map(() => []);
    for (let round = 0; round <= ROUNDS; round += 1) {
      progress(`round ${round} of ${ROUNDS}`);
      for (const [i, document] of documents.entries()) {
        const figure = await visit(browser, server.url, JSON.stringify(document));
        // The first fills caches of the machine.
        if (round > 0) figures[i].push(figure);
      }
    }
    report(documents.map(operationCount), figures);
  } finally {
    await browser?.close();
    await server?.stop();
    rmSync(folder, { recursive: true });
  }
}

await main();
