/**
 * Writes the figures of `bench/figures.json`, which `npm run bench -- --write` has measured, into `docs/performance.md`. With
 * `--check` it writes nothing, and fails when the page has others.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { format, resolveConfig } from 'prettier';
import { writePart } from './lib/report.mjs';

const PAGE = join(import.meta.dirname, '../docs/performance.md');
const FIGURES = join(import.meta.dirname, 'figures.json');

/** What is written of one part, between two comments. */
const BLOCK = /(<!-- (\w+), written by npm run bench -- --write -->\n)[^]*?(<!-- end -->)/g;

const read = (path) => readFileSync(path, 'utf8');
const formatted = async (path, text) => format(text, { ...(await resolveConfig(path)), filepath: path });

/** The page with the figures in their places. Throws for figures without a place. */
async function pageWith(figures) {
  const page = read(PAGE);
  const places = [...page.matchAll(BLOCK)].map(([, , part]) => part);
  const lost = Object.keys(figures).find((part) => !places.includes(part));
  if (lost !== undefined) throw new Error(`docs/performance.md has no place for the figures of "${lost}".`);
  const text = (part) =>
    figures[part]
      ? writePart(part, figures[part])
      : `No run on a quiet machine has written this yet: \`npm run bench -- ${part} --write\`.`;
  return formatted(
    PAGE,
    page.replaceAll(BLOCK, (_, begin, part, end) => `${begin}\n${text(part)}\n\n${end}`),
  );
}

/** Keeps what a run has measured of its parts, beside the figures of others, and writes all into the page. */
export async function keepFigures({ environment, plan, quiet, ...measured }) {
  const figures = JSON.parse(read(FIGURES));
  for (const part of plan.parts) figures[part] = { environment, plan, quiet, [part]: measured[part] };
  writeFileSync(FIGURES, await formatted(FIGURES, JSON.stringify(figures)));
  writeFileSync(PAGE, await pageWith(figures));
}

if (import.meta.main) {
  const page = await pageWith(JSON.parse(read(FIGURES)));
  if (!process.argv.includes('--check')) writeFileSync(PAGE, page);
  else if (page !== read(PAGE)) {
    process.stderr.write('docs/performance.md has other figures than bench/figures.json.\n');
    process.exitCode = 1;
  }
}
